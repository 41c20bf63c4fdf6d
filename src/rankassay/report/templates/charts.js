// Charts with numbers: every one is drawn from the columns of a result table, when it comes in sight.
// The library that draws is unpacked for the first one.

const CHARTS = JSON.parse(document.getElementById("charts").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
const coarse = matchMedia("(pointer: coarse)"); // fingers scroll, and do not draw a box to zoom
const ROW = 30; // pixels of a metric in a panel of dots
const AROUND = 64;
const HEIGHT = 300;
const TICKS = 6; // labels that a narrow panel has room for

const colourOf = (look) => (dark.matches ? look.dark : look.colour);
const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const distinct = (values) => [...new Set(values)].filter((value) => value !== "");
let library;
const run = (text) => document.head.append(element("script", { textContent: text }));
const plotly = () => (library ??= unpacked("plotly").then(run));
const rounded = (value) => Number(value).toFixed(Math.abs(value) < 10 ? 4 : 2);

// Return the value of a column with which a control begins: the nearest number, or the same text.
function nearest(values, wanted) {
  const apart = (value) => Math.abs(Number(value) - Number(wanted));
  if (values.includes(String(wanted)) || !isNumber(String(wanted))) {
    return values.includes(String(wanted)) ? String(wanted) : values[0];
  }
  return values.reduce((best, value) => (apart(value) < apart(best) ? value : best));
}

// Return the numbers of the rows that have the given values.
function rowsWith(columns, wanted) {
  const tests = Object.entries(wanted);
  return columns[Object.keys(columns)[0]].map((_, i) => i).filter((i) => tests.every(([name, value]) => columns[name][i] === value));
}

function intervalOf(columns, i) {
  const has = columns.low && columns.low[i] !== "";
  return has ? ` (${rounded(columns.low[i])} to ${rounded(columns.high[i])})` : "";
}

function lines(chart, panel, columns, rows, hidden) {
  return Object.entries(chart.looks).filter(([name]) => !hidden.has(name)).map(([name, look]) => {
    const own = rows.filter((i) => columns[chart.series][i] === name && columns[panel.y][i] !== "");
    own.sort((a, b) => columns[panel.x][a] - columns[panel.x][b]);
    return {
      type: "scatter", mode: "lines+markers", name: look.label, meta: name,
      x: own.map((i) => Number(columns[panel.x][i])),
      y: own.map((i) => Number(columns[panel.y][i])),
      customdata: own.map((i) => rounded(columns[panel.y][i]) + intervalOf(columns, i)),
      line: { color: colourOf(look), width: 2, dash: look.dash },
      marker: { symbol: look.symbol, size: 7 },
      hoverinfo: "none", // see tell
    };
  });
}

function dots(chart, panel, columns, rows, hidden, every) {
  const error = (own, side) => own.map((i) => (columns[side][i] === "" ? 0 : Math.abs(columns[side][i] - columns[panel.x][i])));
  return Object.entries(chart.looks).filter(([name]) => !hidden.has(name)).flatMap(([name, look]) => {
    const of = (list) => list.filter((i) => columns[panel.y][i] === name && columns[panel.x][i] !== "");
    const trace = (own, words) => ({
      type: "scatter", mode: "markers", name: look.label,
      x: own.map((i) => Number(columns[panel.x][i])),
      y: own.map(() => look.label),
      customdata: own.map(words),
      hovertemplate: "%{customdata}<extra></extra>",
    });
    const words = (i) => `${look.label}@${columns.cutoff[i]}: ${rounded(columns[panel.x][i])}${intervalOf(columns, i)}`;
    const own = of(rows);
    const colour = colourOf(look);
    return [
      { ...trace(of(every), words), marker: { color: colour, size: 5, opacity: 0.5 } },
      {
        ...trace(own, words), marker: { color: colour, size: 11, symbol: look.symbol },
        error_x: { type: "data", symmetric: false, array: error(own, "high"), arrayminus: error(own, "low"), color: colour, thickness: 2, width: 0 },
      },
    ];
  });
}

// Return the values at which an axis has labels: the last one, and those before it that have room.
function ticksOf(texts) {
  const values = distinct(texts).map(Number).sort((a, b) => b - a);
  const step = Math.ceil(values.length / TICKS);
  return values.filter((_, i) => i % step === 0);
}

// Return the labels of the metrics, the one with the least mean rank last, which plotly puts on top;
// those without a rank come first.
function ordered(chart, columns, state) {
  const rank = new Map(rowsWith(columns, { criterion: "overall", cutoff: state.cutoff }).map((i) => [columns[chart.series][i], columns.value[i] === "" ? Infinity : Number(columns.value[i])]));
  return Object.keys(chart.looks).sort((a, b) => rank.get(b) - rank.get(a) || 0).map((name) => chart.looks[name].label);
}

function layoutOf(panel, height) {
  const axis = { gridcolor: variable("--line"), zerolinecolor: variable("--line"), linecolor: variable("--soft"), automargin: true, fixedrange: coarse.matches };
  const rule = panel.kind === "lines" ? { showspikes: true, spikemode: "across", spikesnap: "hovered data", spikethickness: 1, spikedash: "dot", spikecolor: variable("--soft") } : {};
  const font = { family: getComputedStyle(document.body).fontFamily, size: 12, color: variable("--text") };
  return {
    height, font, autosize: true, showlegend: false,
    paper_bgcolor: variable("--card"), plot_bgcolor: variable("--card"),
    margin: { l: 52, r: 14, t: 10, b: 44 },
    hoverdistance: panel.kind === "lines" ? -1 : 20, // anywhere, or near a dot
    hovermode: panel.kind === "lines" ? "x" : "closest",
    hoverlabel: { bgcolor: variable("--card"), bordercolor: variable("--line"), font },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: variable("--soft"), activecolor: variable("--accent") },
    dragmode: coarse.matches ? false : "zoom",
    xaxis: { ...axis, ...rule, title: { text: panel.x_label, standoff: 8 } },
    yaxis: { ...axis, title: { text: panel.y_label, standoff: 8 } },
  };
}

class Chart {
  constructor(place, chart) {
    this.chart = chart;
    this.hidden = new Set();
    this.state = { dataset: Object.keys(chart.tables)[0] };
    this.plots = chart.panels.map((panel) => {
      const plot = element("div", { className: "plot" });
      plot.style.minHeight = `${this.height(panel)}px`;
      return plot;
    });
    this.metrics = element("div", { className: "metrics" });
    this.metrics.setAttribute("role", "group");
    this.metrics.setAttribute("aria-label", "Metrics shown");
    this.controls = element("div", { className: "controls" });
    const panels = chart.panels.map((panel, i) => {
      const title = panel.title ? [element("div", { className: "panel-title" }, panel.title)] : [];
      const told = element("div", { className: "told", hidden: true });
      return element("div", { className: "panel" }, ...title, this.plots[i], told);
    });
    this.addControls();
    this.addMetrics();
    const data = Object.entries(chart.tables).map(([dataset, key]) => this.details(dataset, key));
    place.append(this.controls, this.metrics, element("div", { className: "panels" }, ...panels), ...data);
  }

  height(panel) {
    return panel.kind === "dots" ? ROW * Object.keys(this.chart.looks).length + AROUND : HEIGHT;
  }

  get columns() {
    return columnsOf(this.chart.tables[this.state.dataset]);
  }

  details(dataset, key) {
    const made = element("details", { className: "data" }, element("summary", {}, `Data: ${dataset}`));
    made.addEventListener("toggle", () => made.append(...tableOf(key)), { once: true });
    return made;
  }

  select(label, column, values, begin) {
    if (values.length < 2) return;
    const options = values.map((value) => new Option(this.chart.looks[value]?.label ?? value, value, value === begin, value === begin));
    const select = element("select", {}, ...options);
    select.addEventListener("change", () => {
      this.state[column] = select.value;
      this.draw();
    });
    this.controls.append(element("label", {}, `${label} `, select));
  }

  addControls() {
    this.select("Dataset", "dataset", Object.keys(this.chart.tables), this.state.dataset);
    for (const { column, label, begin } of this.chart.controls) {
      const values = distinct(Object.values(this.chart.tables).flatMap((key) => columnsOf(key)[column]));
      this.state[column] = nearest(values, begin);
      this.select(label, column, values, this.state[column]);
    }
  }

  addMetrics() {
    const buttons = new Map();
    const toggle = (name, on) => {
      this.hidden[on ? "delete" : "add"](name);
      buttons.get(name).setAttribute("aria-pressed", String(on));
    };
    for (const [name, look] of Object.entries(this.chart.looks)) {
      const key = element("span", { className: "key" }, look.letter);
      key.setAttribute("aria-hidden", "true");
      key.style.setProperty("--colour", look.colour);
      key.style.setProperty("--dark", look.dark);
      const button = element("button", { type: "button" }, key, look.label);
      button.setAttribute("aria-pressed", "true");
      button.addEventListener("click", () => {
        toggle(name, this.hidden.has(name));
        this.draw();
      });
      buttons.set(name, button);
    }
    const all = element("button", { type: "button" }, "all or none");
    all.addEventListener("click", () => {
      const on = this.hidden.size > 0;
      for (const name of buttons.keys()) toggle(name, on);
      this.draw();
    });
    this.metrics.append(...buttons.values(), all);
  }

  // What all lines are at a place: next to the panel, so that no line is covered.
  tell(panel, place, points) {
    const told = place.querySelector(".told");
    const sign = panel.less_is_better ? -1 : 1;
    const rows = [...points].sort((a, b) => sign * (b.y - a.y)).map(({ data, customdata }) => {
      const look = this.chart.looks[data.meta];
      const key = element("span", { className: "key" }, look.letter);
      key.style.color = colourOf(look);
      const [value, ...interval] = customdata.split(/(?= \()/);
      return element("div", {}, key, ` ${look.label} `, element("b", {}, value), element("span", {}, ...interval));
    });
    told.replaceChildren(element("div", { className: "at" }, `${panel.x_label}: ${points[0].x}`), ...rows);
    told.hidden = false;
    const { top, bottom } = place.getBoundingClientRect();
    told.classList.toggle("above", bottom + told.offsetHeight > innerHeight && top > told.offsetHeight);
  }

  listen(panel, plot) {
    if (panel.kind !== "lines" || plot.listening) return;
    plot.listening = true;
    const place = plot.closest(".panel");
    plot.on("plotly_hover", ({ points }) => this.tell(panel, place, points));
    plot.on("plotly_unhover", () => (place.querySelector(".told").hidden = true));
  }

  // Draw the panels one after the other, so that the first is there, and the page answers, before the last.
  async show() {
    this.shown = true;
    await plotly();
    for (const i of this.plots.keys()) {
      if (this.drawn) return; // all of them, as a control was used
      this.drawPanel(i);
      if (i === 0) performance.mark("first-panel");
      await new Promise((done) => setTimeout(done));
    }
    this.drawn = true;
    performance.mark("drawn");
  }

  draw() {
    if (!window.Plotly) {
      plotly().then(() => this.draw());
      return;
    }
    this.shown = this.drawn = true;
    for (const i of this.plots.keys()) this.drawPanel(i);
  }

  drawPanel(i) {
    const panel = this.chart.panels[i];
    const columns = this.columns;
    const followed = Object.fromEntries(panel.by.map((column) => [column, this.state[column]]));
    const rows = rowsWith(columns, { ...panel.keep, ...followed });
    const layout = layoutOf(panel, this.height(panel));
    let traces;
    if (panel.kind === "dots") {
      traces = dots(this.chart, panel, columns, rows, this.hidden, rowsWith(columns, panel.keep));
      Object.assign(layout.yaxis, { categoryorder: "array", categoryarray: ordered(this.chart, columns, this.state), showgrid: false });
      if (panel.less_is_better) layout.xaxis.autorange = "reversed";
    } else {
      traces = lines(this.chart, panel, columns, rows, this.hidden);
      layout.xaxis.tickvals = ticksOf(rows.map((i) => columns[panel.x][i]));
      if (panel.less_is_better) layout.yaxis.autorange = "reversed";
      if (panel.falling) layout.xaxis.autorange = "reversed";
    }
    const options = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"] };
    Plotly.react(this.plots[i], traces, layout, options);
    this.listen(panel, this.plots[i]);
  }
}

const drawings = new Map();
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting && !drawings.get(target).shown) drawings.get(target).show();
  }
}, { rootMargin: "50%" });
for (const [id, chart] of Object.entries(CHARTS)) {
  const place = document.getElementById(id);
  drawings.set(place, new Chart(place, chart));
  sight.observe(place);
}
const redraw = (which) => drawings.forEach((drawing) => which(drawing) && drawing.draw());
dark.addEventListener("change", () => redraw((drawing) => drawing.shown));
addEventListener("beforeprint", () => redraw((drawing) => !drawing.drawn));
