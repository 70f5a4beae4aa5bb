import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb, webIsStale } from '../../embedded/src/launch/web-build.ts'
import { appFiles, isLeftOut, packageFiles } from './app-files.ts'
import { type Architecture, debianFiles, lockedPackages } from './debian.ts'
import { type Entry, type Layer, layerOf } from './layer.ts'
import { type Descriptor, OciLayout, type Runtime } from './oci-layout.ts'
import { bundledPackages, type Lockfile, productionPackages } from './production-packages.ts'
import { helmFiles, helmVersion, nodeFiles, nodeVersion } from './programs.ts'
import { billOfMaterials } from './sbom.ts'
import { addSignature, publicKeyOf, signingKey } from './signature.ts'

interface Order {
  root: string
  /** The folder that the layout is written to; it is made anew. */
  folder: string
  architectures: readonly Architecture[]
  /** The path of a private key in PEM. */
  keyFile: string | undefined
  tell(line: string): void
}

/** Tools that build the pages and are no part of them. */
const isTool = (name: string) => /^(@types\/|@testing-library\/|@vitejs\/|vite$|happy-dom$)/.test(name)

const user = 65532

/** Builds an image of the architectures, with the layers that rarely change first, and gives its index. */
export async function buildImage({ root, folder, architectures, keyFile, tell }: Order): Promise<Descriptor> {
  const key = keyFile === undefined ? undefined : signingKey(readFileSync(keyFile, 'utf8'))
  const cache = join(root, 'node_modules', '.cache', 'image')
  mkdirSync(cache, { recursive: true })
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lockfile & { version: string }
  if (webIsStale(root)) {
    tell('Building the web pages')
    await buildWeb(root)
  }
  const packages = productionPackages(lock, 'server', isLeftOut).filter(({ path }) => existsSync(join(root, path)))
  const bill = billOfMaterials({
    ...{ version: lock.version, node: nodeVersion(lock), helm: helmVersion, debian: lockedPackages() },
    packages: [...packages, ...bundledPackages(lock, 'web', isTool)],
  })
  const portal = [
    await layerOf(packageFiles(root, packages)),
    await layerOf([...(await appFiles(root)), { path: 'usr/share/sbom/quayside.cdx.json', content: bill }]),
  ]
  const layout = new OciLayout(folder)
  const images: Descriptor[] = []
  for (const architecture of architectures) {
    tell(`Packing linux/${architecture}`)
    const layers = [...(await systemLayers(architecture, lock, cache)), ...portal]
    const size = layers.reduce((sum, { blob }) => sum + blob.length, 0)
    tell(`linux/${architecture}: ${(size / 1e6).toFixed(1)} MB`)
    images.push(layout.image(architecture, layers, runtimeOf(lock.version)))
  }
  const image = layout.images(images)
  // Cosign finds an image and its signature in a folder by these two annotations.
  layout.name(image, lock.version, { kind: 'dev.cosignproject.cosign/imageIndex' })
  writeFileSync(`${folder}.cdx.json`, bill)
  if (key) {
    addSignature(layout, image, 'quayside', key, { kind: 'dev.cosignproject.cosign/sigs' })
    for (const each of images) addSignature(layout, each, 'quayside', key)
    writeFileSync(`${folder}.pub`, publicKeyOf(key))
  }
  return image
}

async function systemLayers(architecture: Architecture, lock: Lockfile, cache: string): Promise<Layer[]> {
  const system = [...(await debianFiles(architecture, join(cache, 'debian'))), ...ownFiles()]
  return [
    await layerOf(system),
    await layerOf(await nodeFiles(architecture, lock, cache)),
    await layerOf(await helmFiles(architecture, cache)),
  ]
}

/** The user of the portal, how names are looked up, and the two folders that are written to. */
function ownFiles(): Entry[] {
  const text = (path: string, content: string) => ({ path, content: Buffer.from(content) })
  return [
    text('etc/passwd', `root:x:0:0:root:/:/sbin/nologin\nquayside:x:${user}:${user}:Quayside:/data:/sbin/nologin\n`),
    text('etc/group', `root:x:0:\nquayside:x:${user}:\n`),
    text('etc/nsswitch.conf', 'hosts: files dns\n'),
    { path: 'data', folder: true, mode: 0o700, owner: user },
    { path: 'tmp', folder: true, mode: 0o1777 },
  ]
}

function runtimeOf(version: string): Runtime {
  return {
    User: `${user}:${user}`,
    WorkingDir: '/app',
    // Zombies of a killed Helm are reaped, and a signal ends a portal that still starts.
    Entrypoint: ['/usr/bin/tini-static', '--', '/usr/bin/node', '/app/server/src/main.ts'],
    Env: [
      ...['PATH=/usr/bin', 'NODE_ENV=production', 'HELM_BIN=/usr/bin/helm'],
      ...['QUAYSIDE_HOST=0.0.0.0', 'QUAYSIDE_DATA_DIR=/data'],
    ],
    ExposedPorts: { '8080/tcp': {} },
    Volumes: { '/data': {}, '/tmp': {} },
    Labels: {
      'org.opencontainers.image.title': 'Quayside',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': 'Apache-2.0',
    },
  }
}
