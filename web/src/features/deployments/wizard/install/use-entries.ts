import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import type { PreparedVersion } from '@quayside/contract/deployments/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { useState } from 'react'
import type { ChosenGroup } from '../../deploy-data.ts'
import type { GeneralForm } from '../../steps/general-information.tsx'
import { texts } from '../../texts.ts'
import type { InstallDraft } from './install-draft.ts'
import { withLinked } from './linked-values.tsx'

export interface InstallProps {
  child: CatalogChild
  spaceId: string | undefined
  /** The values of a link, as YAML. */
  values?: string | undefined
  kind: InstallKind
  /** An app that was assigned before; the wizard then begins after General Information. */
  resumed?: Resumed | undefined
}

export type InstallKind = 'A' | 'A-with-access' | 'E'

/** Where an installation goes on. */
export interface Resumed {
  assigned: Assigned
  draft: InstallDraft | undefined
}

/** The result of General Information: an assigned app with its values prepared. */
export interface Assigned {
  app: App
  child: CatalogChild
  space: Space
  prepared: PreparedVersion
  releaseName: string
}

export type Entries = ReturnType<typeof useEntries>

/** Everything that a person enters in an installation, and what it is compared with to find unsaved changes. */
export function useEntries({ child, spaceId, resumed }: InstallProps) {
  const [form, setForm] = useState<GeneralForm>(() => formFor(child, spaceId, resumed?.assigned.app))
  const [assigned, setAssigned] = useState(resumed?.assigned)
  const [yaml, setYaml] = useState<string>(() =>
    resumed ? withLinked(resumed.assigned.prepared.values.yaml, resumed.draft?.yaml) : texts.infrastructure.defaultYaml,
  )
  const [groups, setGroups] = useState<ChosenGroup[]>(resumed?.draft?.groups ?? [])
  // The entries to find unsaved changes by: as opened, as prepared for a version, or as last sent to an action.
  const [first, setFirst] = useState({ form, yaml, groups })
  return { form, setForm, assigned, setAssigned, yaml, setYaml, groups, setGroups, first, setFirst }
}

function formFor(child: CatalogChild, spaceId: string | undefined, app: App | undefined): GeneralForm {
  return {
    versionId: child.version.id,
    spaceId,
    clusterId: app?.clusterId,
    displayName: app?.displayName ?? (child.version.displayName || child.item.displayName),
    tags: app?.tags ?? child.item.tags,
    touched: { version: false, space: false, cluster: false, displayName: false },
  }
}
