import type { Apps } from '../../apps/index.ts'
import type { ActionContext } from '../engine/action-context.ts'

type App = NonNullable<Awaited<ReturnType<Apps['record']>>>

/** Roles that the version an app is brought to has and the app has not. Those that it has no more stay with the app. */
export async function rolesBrought({ deps, action, input }: ActionContext, app: App): Promise<string[]> {
  if (input.kind !== 'Deploy' && input.kind !== 'Upgrade') return []
  if (action.version_id === null || action.version_id === app.catalogVersionId) return []
  const chosen = await deps.catalog.versionOf(action.tenant_id, action.version_id)
  const known = new Set(app.resourceRoles.map(({ name }) => name))
  return chosen?.version.resourceRoles.filter((name) => !known.has(name)) ?? []
}

/** All roles of the app once it is what this action makes it; undefined when they are what they were. */
export async function rolesMade(context: ActionContext): Promise<string[] | undefined> {
  const { deps, action } = context
  const app = action.app_id ? await deps.apps.record(action.tenant_id, action.app_id) : undefined
  const brought = app ? await rolesBrought(context, app) : []
  return app && brought.length > 0 ? [...app.resourceRoles.map(({ name }) => name), ...brought] : undefined
}
