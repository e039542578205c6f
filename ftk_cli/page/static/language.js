// The words of the interface, in one file per language. What a language lacks is in English.
import * as storage from "./storage.js";

const PLACE = "ftk.lang";
const LANGUAGES = ["en", "uk", "zh-Hant", "zh-Hans"];
let words = {};
let english = {};

export let lang = "en";

const read = (tag) => fetch(new URL(`words/${tag}.json`, import.meta.url)).then((found) => found.json());

/** The language that the reader chose before, else that of the browser. */
export function preferred() {
  return [storage.read(PLACE), ...navigator.languages].map(known).find(Boolean) ?? "en";
}

function known(tag) {
  if (!tag) return undefined;
  if (/^zh-(CN|SG|Hans)/i.test(tag)) return "zh-Hans";
  return LANGUAGES.find((one) => one === tag) ?? LANGUAGES.find((one) => one.split("-")[0] === tag.split("-")[0]);
}

export async function use(tag) {
  [english, words] = await Promise.all([read("en"), read(tag)]);
  lang = tag;
  storage.write(PLACE, tag);
  document.documentElement.lang = tag;
}

/** The names of the languages in themselves. */
export const names = () => Promise.all(LANGUAGES.map(async (tag) => [tag, (await read(tag)).language]));

/** A sentence of the interface with its values in braces filled in. */
export function t(key, values = {}) {
  const text = words[key] ?? english[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
