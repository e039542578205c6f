// A thing that is dragged to another one: the same as a click on both.

const FAR = 6; // pixels that a pointer moves before it drags

/** Lets what goes on to another thing be dragged there. A drag picks the thing, and drops it on what is lit then. */
export function dragging(root) {
  root.addEventListener("pointerdown", (event) => {
    const thing = event.target.closest?.(".movable");
    if (thing && event.isPrimary && event.button === 0 && (event.pointerType === "mouse" || thing.matches(".square"))) follow(root, thing, event);
  });
  return root;
}

function follow(root, thing, start) {
  const page = root.getRootNode();
  const leave = new AbortController();
  const { signal } = leave;
  let ghost = null;
  document.addEventListener("pointermove", (event) => {
    if (event.pointerId !== start.pointerId) return;
    const [x, y] = [event.clientX - start.clientX, event.clientY - start.clientY];
    if (!ghost && Math.hypot(x, y) > FAR) ghost = lifted(page, thing);
    ghost?.style.setProperty("translate", `${x}px ${y}px`);
  }, { signal });
  document.addEventListener("pointerup", (event) => {
    leave.abort();
    if (!ghost) return;
    ghost.remove();
    const onto = page.elementFromPoint(event.clientX, event.clientY)?.closest(".lit");
    if (onto && onto.dataset.key !== thing.dataset.key) onto.click();
  }, { signal });
  document.addEventListener("pointercancel", () => {
    leave.abort();
    ghost?.remove();
  }, { signal });
}

/** Picks a thing, unless it is picked already; the table is drawn again. Returns what follows the pointer. */
function lifted(page, thing) {
  const at = thing.getBoundingClientRect();
  const copy = (thing.querySelector(".piece") ?? thing).cloneNode(true);
  if (!thing.matches(".chosen")) thing.click();
  const root = page.querySelector(`.ftk-table:has([data-key="${CSS.escape(thing.dataset.key)}"])`);
  if (!root) return null;
  const inside = root.getBoundingClientRect();
  copy.inert = true;
  copy.removeAttribute("data-key");
  const ghost = Object.assign(document.createElement("span"), { className: thing.matches(".square") ? "dragged board" : "dragged" });
  ghost.style.cssText = `left: ${at.left - inside.left}px; top: ${at.top - inside.top}px; width: ${at.width}px; height: ${at.height}px`;
  ghost.append(copy);
  root.append(ghost);
  return ghost;
}
