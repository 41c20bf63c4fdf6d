// Elements, and tables that their heads put in order: up, down, and as they came.

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// Make the heads with data-sort buttons: by the text of the column, or by the number that the rows
// have under the name in it. Return the choice, and what puts it into effect.
function sortable(table, changed) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const heads = [...table.tHead.rows[0].cells];
  const choice = { column: null, descending: false };

  function order() {
    heads.forEach((head, j) => (j === choice.column ? head.setAttribute("aria-sort", choice.descending ? "descending" : "ascending") : head.removeAttribute("aria-sort")));
    const sorted = [...rows];
    if (choice.column !== null) {
      const kind = heads[choice.column].dataset.sort;
      const textOf = (row) => row.cells[choice.column].textContent.trim();
      const numberOf = (row) => (row.dataset[kind] === "nan" ? NaN : Number(row.dataset[kind]));
      const sign = choice.descending ? -1 : 1;
      const compare = (a, b) => {
        if (kind === "text") return sign * textOf(a).localeCompare(textOf(b));
        const [x, y] = [numberOf(a), numberOf(b)];
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y); // last
        return sign * (x - y);
      };
      sorted.sort(compare);
    }
    body.append(...sorted);
  }

  heads.forEach((head, j) => {
    if (!head.dataset.sort) return;
    const button = element("button", { type: "button" }, ...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const again = choice.column === j;
      choice.column = again && choice.descending ? null : j;
      choice.descending = again && !choice.descending;
      order();
      changed();
    });
  });
  return { choice, order };
}
