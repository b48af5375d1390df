// The module is compiled twice: with vectors, and for browsers without them.

/** The smallest module with an instruction for vectors. */
const PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];

/** The files. Browsers without vectors may not be able to unpack anything either. */
const VECTORS = "tengen-vectors.wasm.gz";
const PLAIN = "tengen.wasm";

/**
 * The name of the file that this browser takes.
 * @param {(bytes: Uint8Array<ArrayBuffer>) => boolean} [reads]
 * @returns {string}
 */
export function fastest(reads = (bytes) => "DecompressionStream" in globalThis && WebAssembly.validate(bytes)) {
  return reads(new Uint8Array(PROBE)) ? VECTORS : PLAIN;
}

/**
 * Compiles the module that lies at an address.
 * @param {URL} address
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} is not there: ${response.status}`);
  if (!address.pathname.endsWith(".gz")) return WebAssembly.compile(await response.arrayBuffer());
  const unpacked = /** @type {ReadableStream<any>} */ (response.body).pipeThrough(new DecompressionStream("gzip"));
  // It is compiled while it is still arriving.
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "content-type": "application/wasm" } }));
}
