// The searches of bots as WebAssembly: for a call, arrays of Python are copied into the memory of a module, and back.
const PAGE = 65536;
const ALIGNED = 16;

/** Runs the functions of a module of the page by name, with a number and arrays that they change in place. Undefined, which is
 *  None of Python, without it. */
export function load(address) {
  const found = instance(address);
  return found && runner(found.exports);
}

/** A module of the page. A worker can wait for a file; what is no module may be a page of the server about what it lacks. */
function instance(address) {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", new URL(address, location.href), false);
    request.responseType = "arraybuffer";
    request.timeout = 20000; // milliseconds
    request.send();
    return request.status === 200 ? new WebAssembly.Instance(new WebAssembly.Module(request.response)) : undefined;
  } catch {
    return undefined;
  }
}

function runner(exports) {
  return (name, number, ...arrays) => {
    const buffers = arrays.map((array) => array.getBuffer("u8"));
    try {
      const places = laid(exports, buffers);
      exports[name](BigInt(number), ...places);
      const memory = new Uint8Array(exports.memory.buffer);
      buffers.forEach(({ data }, i) => data.set(memory.subarray(places[i], places[i] + data.length)));
    } finally {
      for (const buffer of buffers) buffer.release();
    }
  };
}

/** Copies arrays into the memory of a module, one after the other, and returns their addresses. */
function laid({ memory, __heap_base }, buffers) {
  let end = __heap_base.value;
  const places = buffers.map(({ data }) => {
    const place = Math.ceil(end / ALIGNED) * ALIGNED;
    end = place + data.length;
    return place;
  });
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  const whole = new Uint8Array(memory.buffer);
  buffers.forEach(({ data }, i) => whole.set(data, places[i]));
  return places;
}
