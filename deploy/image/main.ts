import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildImage } from './build-image.ts'
import { type Architecture, renewLock } from './debian.ts'

const usage = `npm run image [-- --platform amd64|arm64] [--key <file>] [--out <folder>]
npm run image -- --renew-debian

Builds the container image as an OCI layout in dist/image, for both architectures unless one is named, without a daemon;
needs apt and dpkg, and Go for arm64. A key signs it as cosign does. --renew-debian writes the newest Debian packages into
debian-packages.json.`

const root = resolve(import.meta.dirname, '../..')

try {
  const { values } = parseArgs({
    options: {
      platform: { type: 'string' },
      key: { type: 'string' },
      out: { type: 'string', default: join(root, 'dist', 'image') },
      'renew-debian': { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) console.log(usage)
  else if (values['renew-debian']) await renewLock(join(root, 'node_modules', '.cache', 'image', 'debian'))
  else await build(values)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function build({ platform, key, out }: { platform?: string; key?: string; out: string }): Promise<void> {
  const architectures: readonly Architecture[] = ['amd64', 'arm64']
  const chosen = architectures.filter((each) => platform === undefined || each === platform)
  if (chosen.length === 0) throw new Error(usage)
  const tell = (line: string) => console.log(line)
  const { digest } = await buildImage({ root, folder: resolve(out), architectures: chosen, keyFile: key, tell })
  console.log(`${resolve(out)}: ${digest}${key ? '' : ' (not signed: no --key)'}`)
}
