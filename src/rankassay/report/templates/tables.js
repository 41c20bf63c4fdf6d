// The result tables that the page holds: read, shown when asked for, and given out as files.

const TABLES = JSON.parse(await unpacked("tables"));
const SHOWN = 100; // rows
const DIGITS = 6;
const parsed = new Map();

// Return the rows of a CSV file as lists of texts; quotes are doubled within quoted cells.
function parse(text) {
  const rows = [];
  for (let at = 0; at < text.length; ) {
    const row = [];
    for (let more = true; more; ) {
      let cell = "";
      if (text[at] === '"') {
        let end = text.indexOf('"', at + 1);
        while (text[end + 1] === '"') end = text.indexOf('"', end + 2);
        cell = text.slice(at + 1, end).replaceAll('""', '"');
        at = end + 1;
      } else {
        const start = at;
        while (at < text.length && text[at] !== "," && text[at] !== "\n") at += 1;
        cell = text.slice(start, at);
      }
      row.push(cell);
      more = text[at] === ",";
      at += 1;
    }
    rows.push(row);
  }
  return rows;
}

// Return a table as an object of columns, each a list of texts.
function columnsOf(key) {
  if (!parsed.has(key)) {
    const [names, ...rows] = parse(TABLES[key].text);
    parsed.set(key, Object.fromEntries(names.map((name, j) => [name, rows.map((row) => row[j])])));
  }
  return parsed.get(key);
}

const isNumber = (text) => text !== "" && Number.isFinite(Number(text));
const shorter = (text) =>
  isNumber(text) && text.includes(".") ? String(Number(Number(text).toPrecision(DIGITS))) : text;

function download(key) {
  const held = TABLES[key];
  const address = URL.createObjectURL(new Blob([held.text], { type: "text/csv" }));
  // The name says what it is of: results/ml-1m/robustness/sparsity.csv is ml-1m-robustness-...
  const name = held.path.split("/").slice(1).join("-");
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function tableOf(key) {
  const held = TABLES[key];
  const [names, ...rows] = parse(held.text);
  const numeric = names.map((_, j) => rows.some((row) => isNumber(row[j])) && rows.every((row) => row[j] === "" || isNumber(row[j])));
  const look = (j) => (numeric[j] ? "number" : "");
  const cells = (row) => row.map((text, j) => element("td", { className: look(j) }, shorter(text)));
  const heads = names.map((name, j) => element("th", { scope: "col", className: look(j) }, name));
  const body = rows.slice(0, SHOWN).map((row) => element("tr", {}, ...cells(row)));
  const table = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...body));
  const region = element("div", { className: "wide", tabIndex: 0 }, table);
  region.setAttribute("role", "region");
  region.setAttribute("aria-label", held.path);
  const count = body.length < held.rows ? `The first ${body.length} of ${held.rows} rows` : `${held.rows} rows`;
  const said = element("p", { className: "small" }, `${count} of `, element("code", {}, held.path), `, numbers with ${DIGITS} digits. `);
  if (held.whole) {
    const button = element("button", { type: "button" }, "Download all as CSV");
    button.addEventListener("click", () => download(key));
    said.append(button);
  } else {
    said.append("The file is too long for this page: open it in the folder of the run.");
  }
  return [said, region];
}

for (const place of document.querySelectorAll("details.data")) {
  const show = () => place.open && place.append(...tableOf(place.dataset.table));
  place.addEventListener("toggle", show, { once: true });
}
