import { createHash } from 'node:crypto'
import type { DebianPackage } from './debian.ts'
import type { ProductionPackage } from './production-packages.ts'

/** Everything that an image is made of. */
interface Ingredients {
  version: string
  node: string
  helm: string
  debian: readonly DebianPackage[]
  packages: readonly ProductionPackage[]
}

/** A bill of materials in CycloneDX 1.6; it has no time and no random number, so that the image stays the same. */
export function billOfMaterials({ version, node, helm, debian, packages }: Ingredients): Buffer {
  const components = [
    component('application', 'node', node, `pkg:generic/node@${node}`, 'MIT'),
    component('application', 'helm', helm, `pkg:golang/helm.sh/helm/v4@${helm}`, 'Apache-2.0'),
    ...debian.map((each) => {
      const purl = `pkg:deb/debian/${encodeURIComponent(each.name)}@${encodeURIComponent(each.version)}?distro=debian-12`
      return component('library', each.name, each.version, purl, undefined)
    }),
    ...unique(packages).map((each) => ({
      ...component('library', each.name, each.version, purlOf(each), each.licence),
      ...hashesOf(each.integrity),
    })),
  ]
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(components))}`,
    version: 1,
    metadata: {
      component: component('application', 'quayside', version, `pkg:generic/quayside@${version}`, 'Apache-2.0'),
    },
    components,
  }
  return Buffer.from(`${JSON.stringify(bill, null, 2)}\n`)
}

function component(type: string, name: string, version: string, purl: string, licence: string | undefined) {
  const simple = licence === undefined || /^[\w.+-]+$/.test(licence)
  const licences = licence ? { licenses: [simple ? { license: { id: licence } } : { expression: licence }] } : {}
  return { type, 'bom-ref': purl, name, version, purl, ...licences }
}

const purlOf = ({ name, version }: ProductionPackage) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

function hashesOf(integrity: string | undefined) {
  const [algorithm, digest = ''] = integrity?.split('-') ?? []
  if (algorithm !== 'sha512') return {}
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
}

function unique(packages: readonly ProductionPackage[]): ProductionPackage[] {
  return [...new Map(packages.map((each) => [purlOf(each), each])).values()].sort((a, b) =>
    purlOf(a) < purlOf(b) ? -1 : 1,
  )
}

/** A name-based UUID of the content. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
