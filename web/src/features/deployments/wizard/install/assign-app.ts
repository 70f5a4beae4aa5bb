import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild, CatalogVersion } from '@quayside/contract/catalog/endpoints'
import type { PreparedVersion } from '@quayside/contract/deployments/endpoints'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { changeApp } from '../../../../api/app.ts'
import { postAction } from '../../../../api/deployments/deployments.ts'
import type { Api } from '../../../../lib/api/api.ts'
import { prepareVersion } from '../../prepare-version.ts'
import type { GeneralForm } from '../../steps/general-information.tsx'

interface Input {
  api: Api
  tenantId: string
  form: GeneralForm
  child: CatalogChild
  versions: readonly CatalogVersion[]
  spaces: readonly Space[]
  /** The result of an earlier Next in the same wizard. */
  before: { app: App; child: CatalogChild; space: Space; prepared: PreparedVersion } | undefined
}

/** Assigns the app and prepares its values. Going back and on again keeps the app while its place stays the same. */
export async function assignApp(input: Input): Promise<NonNullable<Input['before']>> {
  const { api, form, before } = input
  const version = input.versions.find(({ id }) => id === form.versionId) ?? input.child.version
  const child: CatalogChild = { item: input.child.item, version }
  const space = input.spaces.find(({ id }) => id === form.spaceId)
  const { clusterId } = form
  if (space === undefined || clusterId === undefined) throw new Error('The chosen space is no longer there.')
  const isSamePlace =
    before?.space.id === space.id && before.app.clusterId === clusterId && before.child.version.id === version.id
  if (isSamePlace) {
    const { displayName, tags } = before.app
    const isSame = displayName === form.displayName.trim() && tags.join('\n') === form.tags.join('\n')
    if (isSame) return { ...before, space }
    const app = await changeApp(api, before.app.id, { displayName: form.displayName.trim(), tags: form.tags })
    return { ...before, app, space }
  }
  if (before !== undefined) await discardApp(api, before.app)
  const app = await postAction(
    api,
    'Assign',
    {
      tenantId: input.tenantId,
      spaceId: space.id,
      clusterId,
      catalogChild: child,
      editableAppData: {
        displayName: form.displayName.trim(),
        ...descriptionsOf(child, form.displayName),
        color: version.color,
        tags: form.tags,
      },
    },
    crypto.randomUUID(),
  )
  return { app, child, space, prepared: await prepareVersion(api, child, app.id) }
}

/** Both are required and no field asks for them: what the version does not say, its item or the app's name says. */
export function descriptionsOf({ item, version }: CatalogChild, displayName: string) {
  const said = (...texts: string[]) => texts.map((text) => text.trim()).find((text) => text !== '') ?? ''
  const { shortDescription, description } = version
  return {
    shortDescription: said(shortDescription, item.shortDescription, description, displayName).slice(0, 200).trim(),
    description: said(description, item.description, shortDescription, displayName).slice(0, 4000).trim(),
  }
}

/** Takes away an app that was assigned and never deployed. */
export async function discardApp(api: Api, app: App): Promise<void> {
  await postAction(api, 'Delete', { app: { id: app.id, releaseName: app.releaseName } }, crypto.randomUUID())
}
