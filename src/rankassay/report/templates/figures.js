// Figures: each is unpacked when it comes near the window, and the others while nothing else is done,
// since a browser prints at once what is there.

const addresses = new Map(); // of a picture, however many images show it
const letters = unpacked("letters").then(JSON.parse); // outlines, which all figures share
const images = [...document.querySelectorAll("img[data-picture]")];

async function show(image) {
  const key = image.dataset.picture;
  const address = async (svg) => {
    const outlines = await letters;
    const whole = svg.replace(/<letter-(\d+)\/>/g, (_, i) => outlines[i]);
    return URL.createObjectURL(new Blob([whole], { type: "image/svg+xml" }));
  };
  if (!addresses.has(key)) addresses.set(key, unpacked(key).then(address));
  const source = await addresses.get(key);
  if (image.src !== source) image.src = source;
}

const near = new IntersectionObserver((entries) => {
  for (const { target } of entries.filter((entry) => entry.isIntersecting)) {
    near.unobserve(target);
    show(target);
  }
}, { rootMargin: "50%" });
for (const image of images) near.observe(image);

const idle = () => new Promise((done) => (window.requestIdleCallback ?? setTimeout)(done));

const loaded = (image) => image.complete || new Promise((done) => {
  image.addEventListener("load", done, { once: true });
  image.addEventListener("error", done, { once: true });
});

async function prepare() {
  await idle();
  if (drawings.size > 0) await plotly();
  for (const image of images) {
    await idle();
    await show(image);
    await loaded(image);
  }
  performance.mark("printable");
}
prepare();
