// What this browser keeps. One that keeps nothing (storage can be blocked) only forgets.

/** What is kept under a name, null if nothing is. */
export function read(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text under a name; null removes it. */
export function write(name, text) {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // There is nothing to do, and nobody to tell: the page works without.
  }
}
