import type { CatalogVersionDetail } from '@quayside/contract/catalog/endpoints'
import { maskDocument } from '@quayside/values/secrets/masking'
import { secretPathsOf } from '@quayside/values/secrets/secret-paths'
import { YamlRefused } from '@quayside/values/yaml/yaml-document'
import { useMemo } from 'react'
import { LazyDiff } from '../../ui/text/lazy-diff.tsx'

/** How values differ from the chart's own. Those come masked as well: both sides shall look the same. */
export function DefaultsDiff({
  version,
  values,
  name,
}: {
  version: CatalogVersionDetail
  values: string
  name: string
}) {
  const { valuesYaml, valuesSchema } = version
  const before = useMemo(() => maskedDefaults(valuesYaml, valuesSchema), [valuesYaml, valuesSchema])
  return (
    <LazyDiff label={`Defaults → ${name}`} before={before} after={values} names={['Defaults', name]} maxHeight="70vh" />
  )
}

function maskedDefaults(yaml: string, schema: unknown): string {
  try {
    return maskDocument(yaml, secretPathsOf(yaml, schema), undefined, [yaml])
  } catch (error) {
    // A chart whose values nobody can read is compared as it stands; everybody reads it in the catalog.
    if (error instanceof YamlRefused) return yaml
    throw error
  }
}
