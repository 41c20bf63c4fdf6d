"""A small invented file of each dataset of the catalogue, in its exact form, as it is read."""

import gzip
from pathlib import Path

import pytest
import yaml

from rankassay.config.datasets import FileDataset
from rankassay.data import aspects
from rankassay.data.entries import completed
from rankassay.data.prepare import prepare
from rankassay.data.reading import lines_of, place_in

ROOT = Path(__file__).parents[3]
CATALOGUE = yaml.safe_load((ROOT / "config/datasets.yaml").read_text())["dataset_catalogue"]
FILES = {name: entry for name, entry in CATALOGUE.items() if entry["kind"] == "file"}

MOVIELENS = "userId,movieId,rating,timestamp\r\n11,22,2.5,1500000000\r\n11,33,3.0,1500000060\r\n"
MOVIELENS_ROWS = [("11", "22", 2.5, 1500000000), ("11", "33", 3.0, 1500000060)]
AMAZON_2014 = (
    '{"reviewerID": "A1MADEUP00001", "asin": "000000001X", "reviewerName": "Ann", '
    '"helpful": [3, 4], "reviewText": "Quite \\"nice\\"", "overall": 1.0, '
    '"summary": "Don\'t know", "unixReviewTime": 1393632000, "reviewTime": "03 1, 2014"}\n'
)
AMAZON_2014_ROWS = [("A1MADEUP00001", "000000001X", 1.0, 1393632000)]
BEERS = "{'beer/beerId': '22', 'review/time': '1300000000', 'review/overall': '1.5', {}}}\n"
CHECK_INS = (
    "11\t2010-07-01T12:00:01Z\t10.25\t-20.75\t22\n11\t2010-07-01T12:00:00Z\t10.5\t-20.5\t44\n"
)
CHECK_INS_ROWS = [("11", "22", 1.0, 1277985601), ("11", "44", 1.0, 1277985600)]
VENUES = (
    "11\t0123456789abcdef01234567\t89abcdef0123456789abcdef\tCafé\t10.2500\t-20.7500"
    "\t-240\tSun Jul 01 12:00:01 +0000 2012\n"
)
VENUES_ROWS = [("11", "0123456789abcdef01234567", 1.0, 1341144001)]
USERS = "3 22 33 44\n0\n2 33 8\n"  # a user may have no article
USERS_ROWS = [("1", "22", 1.0), ("1", "33", 1.0), ("1", "44", 1.0)]
USERS_ROWS += [("3", "33", 1.0), ("3", "8", 1.0)]
KUAIRAND = (
    "user_id,video_id,date,hourmin,time_ms,is_click,is_like,is_follow,is_comment,is_forward,"
    "is_hate,long_view,play_time_ms,duration_ms,profile_stay_time,comment_stay_time,"
    "is_profile_enter,is_rand,tab\n"
    "11,22,20220501,1200,1651406401999,1,0,0,0,0,0,0,5000,20000,0,0,0,0,1\n"
    "11,33,20220501,1200,1651406402001,0,0,0,0,0,0,0,0,20000,0,0,0,0,1\n"
)

# Of each dataset a file, and the rows that it holds: user, item, rating and perhaps the time.
SAMPLES = {
    "ml-1m": (
        "11::22::5::1000000000\n11::33::3::1000000060\n",
        [("11", "22", 5.0, 1000000000), ("11", "33", 3.0, 1000000060)],
    ),
    "librarything": (
        'ann 17 9 fiction\nann 17 9 to be "read\nbob 4 10\n',
        [("ann", "17", 4.5), ("ann", "17", 4.5), ("bob", "4", 5.0)],
    ),
    "beeradvocate": (
        BEERS.replace("{}}", "'review/profileName': 'some one'")
        + BEERS.replace("{}}", "'review/text': \"It's flat\""),
        [("some one", "22", 1.5, 1300000000), ("(anonymous)", "22", 1.5, 1300000000)],
    ),
    "beeradvocate-csv": (
        "brewery_id,brewery_name,review_time,review_overall,review_profilename,beer_name,"
        'beer_beerid\n44,"Ann, Brewer",1300000000,1.5,some one,"Old ""X""",22\n',
        [("some one", "22", 1.5, 1300000000)],
    ),
    "ml-100k": ("11\t22\t3\t900000000\n", [("11", "22", 3.0, 900000000)]),
    "ml-latest-small": (MOVIELENS, MOVIELENS_ROWS),
    "ml-10m": ("11::22::4.5::900000000\n", [("11", "22", 4.5, 900000000)]),
    "ml-20m": (MOVIELENS, MOVIELENS_ROWS),
    "ml-25m": (MOVIELENS, MOVIELENS_ROWS),
    "ml-32m": (MOVIELENS, MOVIELENS_ROWS),
    "coat": ("0 0 2\n5 0 0\n", [("1", "3", 2.0), ("2", "1", 5.0)]),
    "yahoo-r3": ("11\t22\t5\n11\t33\t1\n", [("11", "22", 5.0), ("11", "33", 1.0)]),
    "kuairec": (
        "user_id,video_id,play_duration,video_duration,time,date,timestamp,watch_ratio\n"
        "11,22,14000,11000,2020-08-01 12:00:00.5,20200801,1596283200.5,1.2727272727272727\n"
        "11,33,11000,11000,,,,1.0\n",
        [("11", "22", 1.2727), ("11", "33", 1.0)],
    ),
    "cm100k": ("11\t22\t3\t1\n11\t33\t1\t0\n", [("11", "22", 3.0), ("11", "33", 1.0)]),
    "hetrec-ml": (
        "userID\tmovieID\trating\ttimestamp\r\n11\t22\t1\t1150000000000\r\n11\t33\t4.5\t1150000060000\r\n",
        [("11", "22", 1.0, 1150000000), ("11", "33", 4.5, 1150000060)],
    ),
    "movietweetings": ("11::0000022::8::1400000000\n", [("11", "0000022", 8.0, 1400000000)]),
    "netflix": (
        "11,22,3,2005-01-01\n12,22,5,2005-01-02\n",
        [("11", "22", 3.0), ("12", "22", 5.0)],
    ),
    "filmtrust": ("11 22 2\n11 33 3.5\n", [("11", "22", 2.0), ("11", "33", 3.5)]),
    "ciao-dvd": (
        "11,22,7,8,4,2003-01-01\n11,33,7,9,5,2003-01-02\n",
        [("11", "22", 4.0, 1041379200), ("11", "33", 5.0, 1041465600)],
    ),
    "epinions": ("11 22 4\n11 33 5\n", [("11", "22", 4.0), ("11", "33", 5.0)]),
    "jester": ("11\t\t22\t\t0.125\n11\t\t33\t\t-9.5\n", [("11", "22", 0.125), ("11", "33", -9.5)]),
    "book-crossing": (
        '"User-ID";"ISBN";"Book-Rating"\r\n"11";"000000001X";"0"\r\n"12";"0000000012";"5"\r\n',
        [("11", "000000001X", 0.0), ("12", "0000000012", 5.0)],
    ),
    "goodbooks-10k": ("user_id,book_id,rating\n11,22,5\n", [("11", "22", 5.0)]),
    "goodreads": (
        "user_id,book_id,is_read,rating,is_reviewed\n11,22,1,5,0\n11,33,0,0,0\n",
        [("11", "22", 5.0), ("11", "33", 0.0)],
    ),
    "anime": (
        "user_id,anime_id,rating\n11,22,-1\n33,22,8\n",
        [("11", "22", -1.0), ("33", "22", 8.0)],
    ),
    "food-com": (
        'user_id,recipe_id,date,rating,review\n11,22,2003-01-01,4,"Good, ""really"".\n'
        'Again."\n33,44,2003-01-02,0,\n',
        [("11", "22", 4.0, 1041379200), ("33", "44", 0.0, 1041465600)],
    ),
    "modcloth": (
        '{"item_id": "22", "waist": "29", "size": 7, "quality": 5.0, "user_id": "11"}\n'
        '{"item_id": "22", "size": 13, "quality": null, "user_id": "33"}\n',
        [("11", "22", 5.0)],
    ),
    "renttherunway": (
        '{"fit": "fit", "user_id": "11", "item_id": "22", "rating": "10", "age": "28", '
        '"review_text": "Fine!", "review_date": "May 1, 2016"}\n'
        '{"user_id": "1", "item_id": "2", "rating": null, "review_date": "July 1, 2013"}\n',
        [("11", "22", 10.0, 1462060800)],
    ),
    "yelp": (
        '{"review_id":"KU-madeup","user_id":"mh_-madeup","business_id":'
        '"XQ_-madeup","stars":3.0,"useful":0,"text":"If you\\n\\nlook","date":'
        '"2018-07-01 12:00:01"}\n',
        [("mh_-madeup", "XQ_-madeup", 3.0, 1530446401)],
    ),
    "amazon-beauty-2014": (AMAZON_2014, AMAZON_2014_ROWS),
    "amazon-sports-2014": (AMAZON_2014, AMAZON_2014_ROWS),
    "amazon-toys-2014": (AMAZON_2014, AMAZON_2014_ROWS),
    "amazon-music-2014": (AMAZON_2014, AMAZON_2014_ROWS),
    "amazon-games-2018": (
        "0000000022,A2MADEUP00002,1.0,1404172800\n",
        [("A2MADEUP00002", "0000000022", 1.0, 1404172800)],
    ),
    "amazon-games-2023": (
        "user_id,parent_asin,rating,timestamp\n"
        "AGMADEUP00000000000000000003,B0MADEUP03,4.0,1590000000999\n",
        [("AGMADEUP00000000000000000003", "B0MADEUP03", 4.0, 1590000000)],
    ),
    "lastfm-hetrec": ("userID\tartistID\tweight\r\n11\t22\t1234\r\n", [("11", "22", 1234.0)]),
    "delicious-hetrec": (
        "userID\tbookmarkID\ttagID\ttimestamp\r\n11\t22\t33\t1280000000000\r\n11\t22\t44\t1280000000000\r\n",
        [("11", "22", 1.0, 1280000000), ("11", "22", 1.0, 1280000000)],
    ),
    "lastfm-360k": (
        "89abcdef0123456789abcdef0123456789abcdef\t11111111-2222-3333-4444-555555555555\t"
        "some band\t222\n"
        '89abcdef0123456789abcdef0123456789abcdef\t\tdie "Ärzte\t33\n',
        [
            ("89abcdef0123456789abcdef0123456789abcdef", "some band", 222.0),
            ("89abcdef0123456789abcdef0123456789abcdef", 'die "Ärzte', 33.0),
        ],
    ),
    "lastfm-1k": (
        "user_000011\t2009-01-01T12:00:01Z\t11111111\tBand A\t\tSong A\n"
        "user_000011\t2009-01-01T12:00:00Z\t22222222\t音楽家\t\tSong B\n",
        [
            ("user_000011", "Band A", 1.0, 1230811201),
            ("user_000011", "音楽家", 1.0, 1230811200),
        ],
    ),
    "echonest": (
        "0123456789abcdef0123456789abcdef01234567\tSOMADEUP0000000001\t2\n",
        [("0123456789abcdef0123456789abcdef01234567", "SOMADEUP0000000001", 2.0)],
    ),
    "citeulike-a": (USERS, USERS_ROWS),
    "citeulike-t": (USERS, USERS_ROWS),
    "pinterest": ("11\t22\t1\t1\n11\t33\t1\t1\n", [("11", "22", 1.0), ("11", "33", 1.0)]),
    "behance": ("11 00000022 1300000000\n", [("11", "00000022", 1.0, 1300000000)]),
    "steam": (
        "{u'username': u'Some One', u'hours': 0.1, u'products': 41, u'product_id': u'222222', "
        "u'page_order': 0, u'date': u'2017-07-01', u'text': u\"Doesn't \\u2665\", "
        "u'early_access': False, u'page': 1}\n",
        [("Some One", "222222", 1.0, 1498867200)],
    ),
    "gowalla": (CHECK_INS, CHECK_INS_ROWS),
    "brightkite": (CHECK_INS + "4\t\t\t\t\n", CHECK_INS_ROWS),
    "foursquare-nyc": (VENUES, VENUES_ROWS),
    "foursquare-tky": (VENUES, VENUES_ROWS),
    "retailrocket": (
        "timestamp,visitorid,event,itemid,transactionid\n1430000000117,11,view,22,\n"
        "1430000060276,33,transaction,44,4000\n",
        [("11", "22", 1.0, 1430000000), ("33", "44", 1.0, 1430000060)],
    ),
    "yoochoose-clicks": (
        "11,2014-07-01T12:00:00.250Z,22,0\n11,2014-07-01T12:00:01.750Z,33,0\n",
        [("11", "22", 1.0, 1404216000), ("11", "33", 1.0, 1404216001)],
    ),
    "yoochoose-buys": (
        "55,2014-07-01T12:00:00.250Z,44,1000,1\n",
        [("55", "44", 1.0, 1404216000)],
    ),
    "diginetica": (
        "sessionId;userId;itemId;timeframe;eventdate\n11;NA;22;500000;2016-07-01\n",
        [("11", "22", 1.0, 1467331200)],
    ),
    "ta-feng": (
        '"TRANSACTION_DT","CUSTOMER_ID","AGE_GROUP","PIN_CODE","PRODUCT_SUBCLASS","PRODUCT_ID",'
        '"AMOUNT","ASSET","SALES_PRICE"\n'
        '"1/2/2001","00000011","30-34","111","222222","4700000000001","2","24","30"\n',
        [("00000011", "4700000000001", 2.0, 978393600)],
    ),
    "twitch-100k": ("11,22,some_streamer,33,44\n", [("11", "some_streamer", 1.0)]),
    "kuairand-pure": (
        KUAIRAND,
        [("11", "22", 1.0, 1651406401), ("11", "33", 0.0, 1651406402)],
    ),
}


def described(name):
    """Return the entry of a dataset as a run has it: valid, and with its defaults."""
    FileDataset.model_validate(FILES[name])
    return completed(name, FILES[name])


def written(folder, entry, content, part="ratings"):
    path = folder / entry["files"][part]
    data = content.encode(entry.get("encoding", "utf-8"))
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return str(path)


def rows(table):
    return [tuple(row) for row in table.astype({"user": "str", "item": "str"}).to_numpy().tolist()]


def test_each_dataset_has_a_sample():
    assert {*SAMPLES} == {*FILES}


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_a_file_in_the_form_of_a_dataset(tmp_path, name):
    content, expected = SAMPLES[name]
    entry = described(name)
    table = lines_of(written(tmp_path, entry, content), entry)
    assert rows(table) == expected
    prepared = prepare(table, duplicates=entry["duplicates"])
    assert len(prepared.rating) == len({row[:2] for row in expected})
    assert (prepared.timestamp is not None) == ("timestamp" in entry.get("columns", {}))


@pytest.mark.parametrize("name", SAMPLES)
def test_rows_know_their_lines(tmp_path, name):
    entry = described(name)
    content, expected = SAMPLES[name]
    place = place_in(written(tmp_path, entry, content), entry)
    found = [str(place(row, "more", "less")) for row in range(len(expected))]
    lines = [int(text.split(", line ")[1].split(":")[0]) for text in found]
    assert lines == sorted(lines)
    assert lines[0] >= 1 + bool(entry.get("header"))


def test_judgements_of_random_videos(tmp_path):
    entry = described("kuairand-pure")
    path = written(tmp_path, entry, KUAIRAND.replace(",0,1\n", ",1,1\n"), "truth")
    assert rows(lines_of(path, entry["truth"])) == SAMPLES["kuairand-pure"][1]


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("movietweetings", "0000022::Some Film (1995)::Action|Horror\n", {"Action", "Horror"}),
        (
            "anime",
            'anime_id,name,genre,type\n0000022,A,"Action, Horror",TV\n',
            {"Action", "Horror"},
        ),
    ],
)
def test_aspects(tmp_path, name, content, expected):
    entry = described(name)
    labels, _ = aspects.read(written(tmp_path, entry, content, "aspects"), entry["aspects"])
    assert labels == {"0000022": expected}
