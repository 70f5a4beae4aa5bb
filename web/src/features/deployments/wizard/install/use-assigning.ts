import type { CatalogVersion } from '@quayside/contract/catalog/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { useState } from 'react'
import { releaseNameOf } from '../../../../api/deployments/deployments.ts'
import { useMay } from '../../../../api/permissions/my-scopes.ts'
import { usePortal } from '../../../../lib/portal.tsx'
import { isGeneralValid } from '../../steps/general-information.tsx'
import { carriedOver } from '../upgrade/carry-over.ts'
import { assignApp } from './assign-app.ts'
import { withForeign } from './linked-values.tsx'
import type { Entries, InstallProps } from './use-entries.ts'

const allTouched = { version: true, space: true, cluster: true, displayName: true }

interface Lists {
  versions: readonly CatalogVersion[] | undefined
  spaces: readonly Space[] | undefined
}

/** Next of General Information: assigns the app, prepares its values and lays those of a link over them. */
export function useAssigning(
  { child, values, resumed }: InstallProps,
  entries: Entries,
  lists: Lists,
  onAssigned: () => void,
) {
  const { api, config } = usePortal()
  const [assigning, setAssigning] = useState(false)
  const [error, setError] = useState<unknown>()
  const [left, setLeft] = useState<readonly string[]>([])
  const mayYaml = useMay()('values.yaml') === true
  const { form, setForm, assigned, setAssigned, yaml, setYaml, first, setFirst } = entries
  const begin = async () => {
    const next = await assignApp({
      api,
      tenantId: config.tenant.id,
      form,
      child,
      versions: lists.versions ?? [],
      spaces: lists.spaces ?? [],
      before: assigned,
    })
    const releaseName = await releaseNameOf(api, next.app.id, next.app.name)
    const own = next.prepared.values
    const start = withForeign(own.yaml, values, { defaults: own.yaml, schema: own.schema, mayYaml })
    setLeft(start.left)
    if (assigned?.child.version.id !== next.child.version.id) {
      const theirs = start.yaml
      setYaml(assigned === undefined ? theirs : carriedOver({ before: first.yaml, yours: yaml, theirs }))
      setFirst((now) => ({ ...now, yaml: theirs }))
    }
    // An app that stays has its name and tags by now.
    if (resumed !== undefined) setFirst((now) => ({ ...now, form }))
    setAssigned({ ...next, releaseName })
    onAssigned()
  }
  const assign = async () => {
    // The wizard of Serverless apps lets Next be pressed at once; what is missing is said then.
    if (!isGeneralValid(form)) return setForm((now) => ({ ...now, touched: allTouched }))
    setAssigning(true)
    setError(undefined)
    try {
      await begin()
    } catch (reason) {
      setError(reason)
    } finally {
      setAssigning(false)
    }
  }
  return { assigning, error, left, assign }
}
