import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const worthIt = /\.(js|css|html|svg)$/
/** Smaller files gain nothing over one network packet. */
const smallest = 1024
const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }

/** Writes `.br` and `.gz` beside every built text file: compressed once as hard as it goes, then only sent. */
export function preCompress(): Plugin {
  return {
    name: 'quayside-pre-compress',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir = '' }, bundle) {
        const names = Object.keys(bundle).filter((name) => worthIt.test(name))
        await Promise.all(names.map((name) => compress(join(dir, name))))
      },
    },
  }
}

async function compress(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < smallest) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
