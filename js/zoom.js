// A small card shown large: when the mouse has moved onto it, when a key has brought the focus to it, or after a long press.
import { front, h, inked } from "./cards.js";

const PRESS = 450; // milliseconds of a long press
const GAP = 8; // pixels between a card and its enlargement
const KEYS = new Set(["Tab", "ArrowLeft", "ArrowRight", "Home", "End"]); // what brings the focus to another card

let [where, hasMoved] = ["", false]; // where the mouse is: a table that is drawn again below it enlarges nothing
let isKey = false; // whether one of these keys is being handled: a script that moves the focus enlarges nothing
globalThis.addEventListener?.("pointermove", ({ screenX, screenY }) => {
  const now = `${screenX} ${screenY}`;
  [hasMoved, where] = [now !== where, now];
}, true);
globalThis.addEventListener?.("keydown", ({ key }) => {
  isKey = KEYS.has(key);
  setTimeout(() => { isKey = false; });
}, true);

/** Lets cards of a table be enlarged, and the arrow keys go from card to card of a list. */
export function zooming(root, faces) {
  const zoom = h("div", { class: "zoom", popover: "manual", "aria-hidden": "true" });
  const over = (event) => event.target.closest?.(".card[data-face]");
  const open = (event) => (over(event) ? show(zoom, over(event), faces) : hide(zoom));
  root.addEventListener("pointermove", (event) => event.pointerType === "mouse" && hasMoved && !event.buttons && open(event));
  root.addEventListener("pointerleave", () => hide(zoom));
  root.addEventListener("focusin", (event) => isKey && open(event));
  root.addEventListener("focusout", () => hide(zoom));
  root.addEventListener("keydown", (event) => (event.key === "Escape" ? hide(zoom) : step(event)));
  pressing(root, open, zoom);
  for (const list of root.querySelectorAll("ul.cards")) list.querySelector("span.card[data-face]")?.setAttribute("tabindex", 0);
  root.append(zoom);
  return root;
}

function pressing(root, open, zoom) {
  let timer = 0;
  let long = false;
  root.addEventListener("pointerdown", (event) => {
    long = false;
    hide(zoom);
    if (event.pointerType === "mouse") return;
    timer = setTimeout(() => { long = true; open(event); }, PRESS);
  });
  for (const name of ["pointerup", "pointercancel", "pointermove"]) root.addEventListener(name, (event) => (name !== "pointermove" || Math.hypot(event.movementX, event.movementY) > GAP) && clearTimeout(timer));
  root.addEventListener("contextmenu", (event) => long && event.preventDefault());
  root.addEventListener("click", (event) => { // a long press looks, and does not choose
    if (!long) return;
    event.stopPropagation();
    event.preventDefault();
    long = false;
  }, true);
}

function show(zoom, card, faces) {
  if (zoom.matches(":popover-open") && zoom.of === card) return;
  zoom.of = card;
  const face = faces[card.dataset.face];
  zoom.replaceChildren(h("span", { class: "card large", ...inked(face.suit) }, front(face)));
  zoom.showPopover?.();
  const [at, size] = [card.getBoundingClientRect(), zoom.getBoundingClientRect()];
  const left = Math.min(Math.max(GAP, at.left + at.width / 2 - size.width / 2), innerWidth - size.width - GAP);
  const above = at.top - size.height - GAP;
  zoom.style.setProperty("left", `${left}px`);
  zoom.style.setProperty("top", `${above > GAP ? above : Math.min(at.bottom + GAP, innerHeight - size.height - GAP)}px`);
}

const hide = (zoom) => zoom.matches(":popover-open") && zoom.hidePopover();

/** The arrow keys, Home and End among the cards of a list. */
function step(event) {
  const list = event.target.closest("ul.cards");
  const cards = list ? [...list.querySelectorAll(".card[data-face]")] : [];
  const at = cards.indexOf(event.target);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: cards.length - 1 }[event.key];
  if (at < 0 || to === undefined || !cards[to]) return;
  event.preventDefault();
  cards[to].focus();
}
