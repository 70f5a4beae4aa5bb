import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

/** Budget for all scripts of the portal's first page together, in bytes after Brotli. */
export const goalBytes = 147 * 1024

const base = '/en/'

interface InitialJs {
  files: { name: string; raw: number; brotli: number }[]
  brotli: number
}

/** The scripts that index.html names and everything these import statically, as brotli 11 sends them. */
export async function measureInitialJs(dist: string): Promise<InitialJs> {
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const waiting = [...html.matchAll(/<(?:script|link)\b[^>]*?(?:src|href)="([^"]+\.js)"/g)].map(([, url = '']) =>
    fileOf(url),
  )
  const seen = new Map<string, { raw: number; brotli: number }>()
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue
    const code = await readFile(join(dist, name), 'utf8')
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    seen.set(name, { raw: Buffer.byteLength(code), brotli: brotliCompressSync(code, { params }).length })
    for (const imported of staticImports(code)) waiting.push(join(name, '..', imported))
  }
  const files = [...seen].map(([name, sizes]) => ({ name, ...sizes })).sort((one, two) => two.brotli - one.brotli)
  return { files, brotli: files.reduce((sum, file) => sum + file.brotli, 0) }
}

function fileOf(url: string): string {
  return url.startsWith(base) ? url.slice(base.length) : url.replace(/^\.?\//, '')
}

/** `import … from "./x.js"`, `import "./x.js"` and `export … from "./x.js"`, as a bundler writes them. */
export function staticImports(code: string): string[] {
  const found = code.matchAll(
    /(?:^|[;}\n])\s*(?:import|export)\s*(?:[\w$*{}\s,]+?\s*from\s*)?["'](\.{1,2}\/[^"']+\.js)["']/g,
  )
  return [...found].map(([, path = '']) => path)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = process.argv[2] ?? fileURLToPath(new URL('../../web/dist', import.meta.url))
  const { files, brotli } = await measureInitialJs(dist)
  for (const file of files)
    console.log(`${String(file.brotli).padStart(8)} br ${String(file.raw).padStart(8)} raw  ${file.name}`)
  const verdict = brotli <= goalBytes ? 'within' : 'OVER'
  console.log(
    `${String(brotli).padStart(8)} br in all = ${(brotli / 1024).toFixed(1)} KiB, ${verdict} the goal of ${goalBytes / 1024} KiB`,
  )
  if (brotli > goalBytes) process.exitCode = 1
}
