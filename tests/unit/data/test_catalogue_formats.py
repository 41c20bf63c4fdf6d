"""A small made-up file of each dataset of the catalogue, in its exact form, as it is read."""

import gzip
from pathlib import Path

import pytest
import yaml

from assayer.config.datasets import FileDataset
from assayer.data.entries import completed
from assayer.data.prepare import prepare
from assayer.data.readers import aspects
from assayer.data.reading import lines_of, place_in

ROOT = Path(__file__).parents[3]
CATALOGUE = yaml.safe_load((ROOT / "config/datasets.yaml").read_text())["dataset_catalogue"]
FILES = {name: entry for name, entry in CATALOGUE.items() if entry["kind"] == "file"}

MOVIELENS = "userId,movieId,rating,timestamp\r\n1,31,2.5,1260759144\r\n1,1029,3.0,1260759179\r\n"
MOVIELENS_ROWS = [("1", "31", 2.5, 1260759144), ("1", "1029", 3.0, 1260759179)]
AMAZON_2014 = (
    '{"reviewerID": "A1MADEUP00001", "asin": "000000001X", "reviewerName": "Ann", '
    '"helpful": [3, 4], "reviewText": "Quite \\"nice\\"", "overall": 1.0, '
    '"summary": "Don\'t know", "unixReviewTime": 1391040000, "reviewTime": "01 30, 2014"}\n'
)
AMAZON_2014_ROWS = [("A1MADEUP00001", "000000001X", 1.0, 1391040000)]
BEERS = "{'beer/beerId': '47986', 'review/time': '1234817823', 'review/overall': '1.5', {}}}\n"
CHECK_INS = "0\t2010-10-19T23:55:27Z\t30.25\t-97.75\t22\n0\t2010-10-18T22:17:43Z\t30.5\t-97.5\t44\n"
CHECK_INS_ROWS = [("0", "22", 1.0, 1287532527), ("0", "44", 1.0, 1287440263)]
VENUES = (
    "470\t0123456789abcdef01234567\t89abcdef0123456789abcdef\tCafé\t40.7198\t-74.0025"
    "\t-240\tTue Apr 03 18:00:09 +0000 2012\n"
)
VENUES_ROWS = [("470", "0123456789abcdef01234567", 1.0, 1333476009)]
USERS = "3 2631 1305 6711\n0\n2 1305 8\n"  # a user may have no article
USERS_ROWS = [("1", "2631", 1.0), ("1", "1305", 1.0), ("1", "6711", 1.0)]
USERS_ROWS += [("3", "1305", 1.0), ("3", "8", 1.0)]
KUAIRAND = (
    "user_id,video_id,date,hourmin,time_ms,is_click,is_like,is_follow,is_comment,is_forward,"
    "is_hate,long_view,play_time_ms,duration_ms,profile_stay_time,comment_stay_time,"
    "is_profile_enter,is_rand,tab\n"
    "0,2194,20220422,700,1650582212999,1,0,0,0,0,0,0,3890,21250,0,0,0,0,1\n"
    "0,4123,20220422,700,1650582215001,0,0,0,0,0,0,0,0,21250,0,0,0,0,1\n"
)

# Of each dataset a file, and the rows that it holds: user, item, rating and perhaps the time.
SAMPLES = {
    "ml-1m": (
        "1::1193::5::978300760\n1::661::3::978302109\n",
        [("1", "1193", 5.0, 978300760), ("1", "661", 3.0, 978302109)],
    ),
    "librarything": (
        'ann 17 9 fiction\nann 17 9 to be "read\nbob 4 10\n',
        [("ann", "17", 4.5), ("ann", "17", 4.5), ("bob", "4", 5.0)],
    ),
    "beeradvocate": (
        BEERS.replace("{}}", "'review/profileName': 'stcules'")
        + BEERS.replace("{}}", "'review/text': \"It's flat\""),
        [("stcules", "47986", 1.5, 1234817823), ("(anonymous)", "47986", 1.5, 1234817823)],
    ),
    "beeradvocate-csv": (
        "brewery_id,brewery_name,review_time,review_overall,review_profilename,beer_name,"
        'beer_beerid\n10325,"Vecchio, Birraio",1234817823,1.5,stcules,"Sausa ""W""",47986\n',
        [("stcules", "47986", 1.5, 1234817823)],
    ),
    "ml-100k": ("196\t242\t3\t881250949\n", [("196", "242", 3.0, 881250949)]),
    "ml-latest-small": (MOVIELENS, MOVIELENS_ROWS),
    "ml-10m": ("1::122::4.5::838985046\n", [("1", "122", 4.5, 838985046)]),
    "ml-20m": (MOVIELENS, MOVIELENS_ROWS),
    "ml-25m": (MOVIELENS, MOVIELENS_ROWS),
    "ml-32m": (MOVIELENS, MOVIELENS_ROWS),
    "coat": ("0 0 2\n5 0 0\n", [("1", "3", 2.0), ("2", "1", 5.0)]),
    "yahoo-r3": ("1\t14\t5\n1\t35\t1\n", [("1", "14", 5.0), ("1", "35", 1.0)]),
    "kuairec": (
        "user_id,video_id,play_duration,video_duration,time,date,timestamp,watch_ratio\n"
        "0,3649,13838,10867,2020-07-05 00:08:23.438,20200705,1593878903.438,1.2733965215791847\n"
        "0,9598,13665,10984,,,,1.0\n",
        [("0", "3649", 1.2734), ("0", "9598", 1.0)],
    ),
    "cm100k": ("1\t5\t3\t1\n1\t6\t1\t0\n", [("1", "5", 3.0), ("1", "6", 1.0)]),
    "hetrec-ml": (
        "userID\tmovieID\trating\ttimestamp\r\n75\t3\t1\t1162160236000\r\n75\t32\t4.5\t1162160624000\r\n",
        [("75", "3", 1.0, 1162160236), ("75", "32", 4.5, 1162160624)],
    ),
    "movietweetings": ("1::0114508::8::1381006850\n", [("1", "0114508", 8.0, 1381006850)]),
    "netflix": (
        "11,1,3,2005-09-06\n12,1,5,2005-05-13\n",
        [("11", "1", 3.0), ("12", "1", 5.0)],
    ),
    "filmtrust": ("1 1 2\n1 2 3.5\n", [("1", "1", 2.0), ("1", "2", 3.5)]),
    "ciao-dvd": (
        "1,1,1,1,4,2003-08-25\n1,2,1,2,5,2000-06-27\n",
        [("1", "1", 4.0, 1061769600), ("1", "2", 5.0, 962064000)],
    ),
    "epinions": ("1 100 4\n1 101 5\n", [("1", "100", 4.0), ("1", "101", 5.0)]),
    "jester": ("1\t\t5\t\t0.219\n1\t\t7\t\t-9.281\n", [("1", "5", 0.219), ("1", "7", -9.281)]),
    "book-crossing": (
        '"User-ID";"ISBN";"Book-Rating"\r\n"11";"000000001X";"0"\r\n"12";"0000000012";"5"\r\n',
        [("11", "000000001X", 0.0), ("12", "0000000012", 5.0)],
    ),
    "goodbooks-10k": ("user_id,book_id,rating\n1,258,5\n", [("1", "258", 5.0)]),
    "goodreads": (
        "user_id,book_id,is_read,rating,is_reviewed\n0,948,1,5,0\n0,947,0,0,0\n",
        [("0", "948", 5.0), ("0", "947", 0.0)],
    ),
    "anime": ("user_id,anime_id,rating\n1,20,-1\n3,20,8\n", [("1", "20", -1.0), ("3", "20", 8.0)]),
    "food-com": (
        'user_id,recipe_id,date,rating,review\n11,22,2003-02-17,4,"Good, ""really"".\n'
        'Again."\n33,44,2002-12-01,0,\n',
        [("11", "22", 4.0, 1045440000), ("33", "44", 0.0, 1038700800)],
    ),
    "modcloth": (
        '{"item_id": "22", "waist": "29", "size": 7, "quality": 5.0, "user_id": "11"}\n'
        '{"item_id": "22", "size": 13, "quality": null, "user_id": "33"}\n',
        [("11", "22", 5.0)],
    ),
    "renttherunway": (
        '{"fit": "fit", "user_id": "11", "item_id": "22", "rating": "10", "age": "28", '
        '"review_text": "Fine!", "review_date": "April 20, 2016"}\n'
        '{"user_id": "1", "item_id": "2", "rating": null, "review_date": "June 18, 2013"}\n',
        [("11", "22", 10.0, 1461110400)],
    ),
    "yelp": (
        '{"review_id":"KU-madeup","user_id":"mh_-madeup","business_id":'
        '"XQ_-madeup","stars":3.0,"useful":0,"text":"If you\\n\\nlook","date":'
        '"2018-07-07 22:09:11"}\n',
        [("mh_-madeup", "XQ_-madeup", 3.0, 1531001351)],
    ),
    "amazon-beauty-2014": (AMAZON_2014, AMAZON_2014_ROWS),
    "amazon-sports-2014": (AMAZON_2014, AMAZON_2014_ROWS),
    "amazon-toys-2014": (AMAZON_2014, AMAZON_2014_ROWS),
    "amazon-music-2014": (AMAZON_2014, AMAZON_2014_ROWS),
    "amazon-games-2018": (
        "0000000022,A2MADEUP00002,1.0,1402272000\n",
        [("A2MADEUP00002", "0000000022", 1.0, 1402272000)],
    ),
    "amazon-games-2023": (
        "user_id,parent_asin,rating,timestamp\n"
        "AGMADEUP00000000000000000003,B0MADEUP03,4.0,1588615855999\n",
        [("AGMADEUP00000000000000000003", "B0MADEUP03", 4.0, 1588615855)],
    ),
    "lastfm-hetrec": ("userID\tartistID\tweight\r\n2\t51\t13883\r\n", [("2", "51", 13883.0)]),
    "delicious-hetrec": (
        "userID\tbookmarkID\ttagID\ttimestamp\r\n8\t1\t1\t1289255362000\r\n8\t1\t2\t1289255362000\r\n",
        [("8", "1", 1.0, 1289255362), ("8", "1", 1.0, 1289255362)],
    ),
    "lastfm-360k": (
        "89abcdef0123456789abcdef0123456789abcdef\t11111111-2222-3333-4444-555555555555\t"
        "some band\t2137\n"
        '89abcdef0123456789abcdef0123456789abcdef\t\tdie "Ärzte\t1099\n',
        [
            ("89abcdef0123456789abcdef0123456789abcdef", "some band", 2137.0),
            ("89abcdef0123456789abcdef0123456789abcdef", 'die "Ärzte', 1099.0),
        ],
    ),
    "lastfm-1k": (
        "user_000001\t2009-05-04T23:08:57Z\t11111111\tBand A\t\tSong A\n"
        "user_000001\t2009-05-04T13:54:10Z\t22222222\t音楽家\t\tSong B\n",
        [
            ("user_000001", "Band A", 1.0, 1241478537),
            ("user_000001", "音楽家", 1.0, 1241445250),
        ],
    ),
    "echonest": (
        "0123456789abcdef0123456789abcdef01234567\tSOMADEUP0000000001\t2\n",
        [("0123456789abcdef0123456789abcdef01234567", "SOMADEUP0000000001", 2.0)],
    ),
    "citeulike-a": (USERS, USERS_ROWS),
    "citeulike-t": (USERS, USERS_ROWS),
    "pinterest": ("0\t1\t1\t1\n0\t2\t1\t1\n", [("0", "1", 1.0), ("0", "2", 1.0)]),
    "behance": ("11 00000022 1307583271\n", [("11", "00000022", 1.0, 1307583271)]),
    "steam": (
        "{u'username': u'Some One', u'hours': 0.1, u'products': 41, u'product_id': u'725280', "
        "u'page_order': 0, u'date': u'2017-12-17', u'text': u\"Doesn't \\u2665\", "
        "u'early_access': False, u'page': 1}\n",
        [("Some One", "725280", 1.0, 1513468800)],
    ),
    "gowalla": (CHECK_INS, CHECK_INS_ROWS),
    "brightkite": (CHECK_INS + "4\t\t\t\t\n", CHECK_INS_ROWS),
    "foursquare-nyc": (VENUES, VENUES_ROWS),
    "foursquare-tky": (VENUES, VENUES_ROWS),
    "retailrocket": (
        "timestamp,visitorid,event,itemid,transactionid\n1433221332117,11,view,22,\n"
        "1433222276276,33,transaction,44,4000\n",
        [("11", "22", 1.0, 1433221332), ("33", "44", 1.0, 1433222276)],
    ),
    "yoochoose-clicks": (
        "1,2014-04-07T10:51:09.277Z,22,0\n1,2014-04-07T10:54:09.868Z,33,0\n",
        [("1", "22", 1.0, 1396867869), ("1", "33", 1.0, 1396868049)],
    ),
    "yoochoose-buys": (
        "55,2014-04-06T18:44:58.314Z,44,12462,1\n",
        [("55", "44", 1.0, 1396809898)],
    ),
    "diginetica": (
        "sessionId;userId;itemId;timeframe;eventdate\n1;NA;81766;526309;2016-05-09\n",
        [("1", "81766", 1.0, 1462752000)],
    ),
    "ta-feng": (
        '"TRANSACTION_DT","CUSTOMER_ID","AGE_GROUP","PIN_CODE","PRODUCT_SUBCLASS","PRODUCT_ID",'
        '"AMOUNT","ASSET","SALES_PRICE"\n'
        '"11/1/2000","00000011","45-49","115","110411","4700000000001","2","24","30"\n',
        [("00000011", "4700000000001", 2.0, 973036800)],
    ),
    "twitch-100k": ("1,3384,some_streamer,154,156\n", [("1", "some_streamer", 1.0)]),
    "kuairand-pure": (
        KUAIRAND,
        [("0", "2194", 1.0, 1650582212), ("0", "4123", 0.0, 1650582215)],
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
    if entry.get("bad_lines"):
        pytest.skip("no line is named where some may be left out")
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
        ("movietweetings", "0114508::Species (1995)::Action|Horror\n", {"Action", "Horror"}),
        (
            "anime",
            'anime_id,name,genre,type\n0114508,A,"Action, Horror",TV\n',
            {"Action", "Horror"},
        ),
    ],
)
def test_aspects(tmp_path, name, content, expected):
    entry = described(name)
    labels, _ = aspects.read(written(tmp_path, entry, content, "aspects"), entry["aspects"])
    assert labels == {"0114508": expected}
