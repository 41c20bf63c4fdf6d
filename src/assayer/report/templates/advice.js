// The tables of runs and of measures: ordered by the reader, the longer one folded at first.

const FIRST = 15; // measures, before the reader asks for all
const criteria = document.getElementById("criteria");
const more = document.getElementById("more");

function fold() {
  [...criteria.tBodies[0].rows].forEach((row, i) => (row.hidden = !more.hidden && i >= FIRST));
}

function unfoldAll() {
  more.hidden = true;
  fold();
}

sortable(criteria, fold);
sortable(document.getElementById("ranking"), () => {});
more.hidden = criteria.tBodies[0].rows.length <= FIRST;
more.textContent = `Show all ${criteria.tBodies[0].rows.length} measures`;
more.addEventListener("click", unfoldAll);
addEventListener("beforeprint", unfoldAll);
fold();
