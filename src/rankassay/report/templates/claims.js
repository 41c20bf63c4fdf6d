// The claims: filtered and ordered by the reader, with the choice kept in the address.

const form = document.getElementById("filter");
const FIRST = 12; // rows, before the reader asks for all
const FIELDS = ["verdict", "study", "dataset", "words"];

// Some viewers show the page without an address of its own.
function keep(hash) {
  try {
    history.replaceState(null, "", hash);
  } catch {
    return;
  }
}

if (form) {
  const table = document.getElementById("verdicts");
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const more = document.getElementById("more");
  const { choice: sorting, order } = sortable(table, () => {
    show();
    remember();
  });
  let all = false;

  const chosen = () => Object.fromEntries(FIELDS.map((name) => [name, form.elements[name].value.trim()]));

  function show() {
    const { words, ...exact } = chosen();
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (row) => Object.entries(exact).every(([name, value]) => !value || row.dataset[name] === value) && wanted.every((word) => texts.get(row).includes(word));
    const found = [...body.rows].filter(fits);
    const shown = new Set(all ? found : found.slice(0, FIRST));
    for (const row of rows) row.hidden = !shown.has(row);
    const counts = new Map();
    for (const row of found) counts.set(row.dataset.verdict, (counts.get(row.dataset.verdict) ?? 0) + 1);
    const parts = [...counts].map(([verdict, count]) => `${count} ${verdict}`);
    document.getElementById("found").textContent = `${found.length} of ${rows.length} rows${parts.length ? `: ${parts.join(", ")}` : ""}`;
    more.hidden = shown.size === found.length;
    more.textContent = `Show all ${found.length} rows`;
  }

  function remember() {
    const parts = Object.entries(chosen()).filter(([, value]) => value);
    if (sorting.column !== null) parts.push(["sort", `${sorting.descending ? "-" : ""}${sorting.column}`]);
    keep(`#${["claims", ...parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)].join("&")}`);
  }

  function recall() {
    const [place, ...parts] = location.hash.slice(1).split("&");
    if (place !== "claims" || !parts.length) return;
    const said = Object.fromEntries(parts.map((part) => part.split("=").map(decodeURIComponent)));
    form.reset();
    for (const name of FIELDS) form.elements[name].value = said[name] ?? "";
    sorting.column = said.sort ? Math.abs(Number(said.sort)) : null;
    sorting.descending = Boolean(said.sort?.startsWith("-"));
    order();
    show();
    document.getElementById("claims").scrollIntoView();
  }

  form.addEventListener("input", () => {
    all = false;
    show();
    remember();
  });
  form.addEventListener("reset", () => setTimeout(() => {
    all = false;
    show();
    remember();
  }));
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => {
    all = true;
    show();
  });
  addEventListener("hashchange", recall);
  form.hidden = false;
  show();
  recall();
}
