// Where in the page the reader is, and what is folded there.

// The links in the order of the page, each with the place it leads to.
const list = document.getElementById("sections");
const opener = document.getElementById("contents");
const links = [...list.querySelectorAll("a")].map((link) => ({ link, place: document.getElementById(link.hash.slice(1)) }));

// Whether a place is not folded away.
const isShown = (place) => place.getClientRects().length > 0;

// Mark the last place that begins where a link would bring it, or above: studies that are folded are
// so short that several stand in the upper part of the window.
function follow() {
  const line = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 24;
  const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  const passed = links.filter(({ place }) => isShown(place) && place.getBoundingClientRect().top <= line);
  // What was asked for, if it is in sight: what stands next to it begins at the same height.
  const inSight = ({ top }) => top > -9 && top <= (atEnd ? innerHeight : line);
  const asked = links.find(({ link, place }) => link.hash === location.hash && isShown(place) && inSight(place.getBoundingClientRect()));
  const at = asked ?? (atEnd ? links.at(-1) : passed.at(-1) ?? links[0]);
  const chain = new Set();
  for (let item = at.link.closest("li"); item; item = item.parentElement.closest("li")) chain.add(item);
  for (const { link } of links) {
    if (link === at.link) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
    link.parentElement.classList.toggle("within", chain.has(link.parentElement));
  }
  opener.textContent = at.link.textContent;
  // Within the list only: the page itself stays where it is.
  const scrolled = getComputedStyle(list).overflowY === "auto" ? list : list.parentElement;
  const { top, bottom } = at.link.getBoundingClientRect();
  const box = scrolled.getBoundingClientRect();
  if (top < box.top) scrolled.scrollTop -= box.top - top + 40;
  else if (bottom > box.bottom) scrolled.scrollTop += bottom - box.bottom + 40;
}

let waiting = false;
const later = () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    follow();
  });
};

function unfold(on) {
  opener.setAttribute("aria-expanded", String(on));
  list.classList.toggle("unfolded", on);
  if (on) follow();
}

// Open all that a place is folded in, the place itself, and what is folded of a study.
function reveal(place) {
  const own = place.querySelector(":scope > details.study");
  if (own) own.open = true;
  for (let at = place; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
}

function arrive() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1).split("&")[0]));
  if (!place) return;
  reveal(place);
  place.scrollIntoView();
  later(); // what is in sight already does not scroll
}

opener.hidden = false;
list.classList.add("folds");
opener.addEventListener("click", () => unfold(!list.classList.contains("unfolded")));
list.addEventListener("click", (event) => event.target.closest("a") && unfold(false));
document.addEventListener("keydown", (event) => event.key === "Escape" && unfold(false));
addEventListener("scroll", later, { passive: true });
addEventListener("resize", later);
addEventListener("hashchange", arrive);
// Before the charts are drawn, which are as wide as what they stand in.
addEventListener("beforeprint", () => document.querySelectorAll("details.study, details.item, details.still").forEach(reveal), { capture: true });
if (location.hash) arrive();
follow();
