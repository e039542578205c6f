// A rulebook that plays as a page of its own, with its recordings in it.
import { begin } from "./living.js";

begin(document, JSON.parse(document.getElementById("recordings").textContent));
