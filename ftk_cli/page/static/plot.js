// A table of changes with their intervals, and a plot in each row. The plot says nothing that is not in the numbers.
import { h } from "./elements.js";

const SVG = "http://www.w3.org/2000/svg";

function s(name, properties, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(properties)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The elements of rows {title, old, new, difference, low, high, marked}; numbers are multiplied by `scale`. */
export function plotted({ t, lang }, caption, rows, scale = 1) {
  const most = Math.max(...rows.flatMap((one) => [one.low, one.high, one.difference]).map((one) => Math.abs(one * scale)));
  const digits = most >= 10 ? 1 : 2;
  const said = (value, sign) => Number(value * scale).toLocaleString(lang(), {
    minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: sign ? "exceptZero" : "auto",
  }).replace("-", "−");
  const at = (value) => `${50 + (most ? (value * scale * 48) / most : 0)}%`;
  const head = [caption, t("effect_change"), h("span", { class: "unseen" }, t("effect_plot"))];
  return h("table", { class: "plotted" }, [
    h("thead", {}, h("tr", {}, head.map((one) => h("th", { scope: "col" }, one)))),
    h("tbody", {}, rows.map((one) => h("tr", {}, [
      h("th", { scope: "row" }, [one.title, " ", h("small", {}, `${said(one.old)} → ${said(one.new)}`)]),
      h("td", {}, figures(one, said, t)),
      h("td", {}, strip(one, at)),
    ]))),
    h("tfoot", { "aria-hidden": "true" }, h("tr", {}, [h("td", { colspan: "2" }), h("td", {}, axis(most, said, scale))])),
  ]);
}

function figures({ difference, low, high, marked }, said, t) {
  const change = h(marked ? "strong" : "span", {}, said(difference, true));
  if (low === null) return change;
  const interval = h("small", {}, t("effect_interval", { low: said(low, true), high: said(high, true) }));
  return [change, marked ? h("span", { class: "unseen" }, ` ${t("effect_excludes")}`) : null, h("br"), interval];
}

function strip({ difference, low, high, marked }, at) {
  const line = (class_, x1, x2, y1 = "50%", y2 = "50%") => s("line", { class: class_, x1, x2, y1, y2 });
  return s("svg", { class: "strip", "aria-hidden": "true" },
    line("zero", "50%", "50%", "0", "100%"),
    ...(low === null ? [] : [line("whisker", at(low), at(high)), ...[low, high].map((one) => line("whisker", at(one), at(one), "30%", "70%"))]),
    s("circle", { class: marked ? "dot" : "dot open", cx: at(difference), cy: "50%", r: "5" }));
}

function axis(most, said, scale) {
  const label = (text, x, anchor) => s("text", { x, y: "1em", "text-anchor": anchor }, text);
  const end = (value) => said(value / scale, true);
  return s("svg", { class: "strip" }, label(end(-most), "0", "start"), label("0", "50%", "middle"), label(end(most), "100%", "end"));
}
