// The tables of runs and of measures: put in order by the reader, and folded where they are long.

const FIRST = 15; // rows, before the reader asks for all

function foldable(table) {
  const rows = table.tBodies[0].rows;
  const more = element("button", { type: "button" }, `Show all ${rows.length} rows`);
  more.hidden = rows.length <= FIRST;
  table.parentElement.after(element("p", {}, more));

  const fold = () => [...rows].forEach((row, i) => (row.hidden = !more.hidden && i >= FIRST));
  const unfold = () => {
    more.hidden = true;
    fold();
  };
  sortable(table, fold);
  more.addEventListener("click", unfold);
  addEventListener("beforeprint", unfold);
  fold();
}

foldable(document.getElementById("ranking"));
foldable(document.getElementById("criteria"));
