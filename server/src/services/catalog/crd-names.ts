import { readManifest } from '../../adapters/helm/manifest.ts'
import { packedInMemory } from './intake/packed.ts'
import { newBudget, readArchive } from './intake/read-archive.ts'

/** `crds` at the top of the chart or of a subchart; a subchart may itself be called `crds`, with templates in it. */
const shipped = /^(charts\/[^/]+\/)*crds\/[^/].*\.(ya?ml|json)$/

/** Names of the custom resource definitions in the `crds` folders of a stored package, which Helm installs and never removes. */
export async function crdNames(packed: Buffer): Promise<string[]> {
  const files = await readArchive(packedInMemory(packed), newBudget(packed.length))
  const names = [...files]
    .filter(([path]) => shipped.test(path))
    .flatMap(([, bytes]) => readManifest(bytes.toString('utf8')))
    .filter(({ kind, name }) => kind === 'CustomResourceDefinition' && name !== '')
    .map(({ name }) => name)
  return [...new Set(names)]
}
