// What `moves` of js/moves.js finds, for cases as JSON: `node moves.mjs MODULE CASES`, with the zones of each case before and after.
const [module, cases] = process.argv.slice(2);
const { moves } = await import(module);
const position = (zones) => ({ zones: Object.entries(zones).map(([zone, faces]) => ({ zone: Number(zone), size: faces.length, faces })), values: {} });
console.log(JSON.stringify(JSON.parse(cases).map(([before, after]) => moves({}, position(before), position(after)))));
