import type { App } from '@quayside/contract/apps/endpoints'
import type { Scope } from '@quayside/contract/permissions/scopes'
import type { Question } from '../../api/permissions/why.tsx'

/** Why the person cannot do something with an app: `whyOf(app, 'app.manage', 'upgrade')`. */
export function whyOf({ id, displayName }: Pick<App, 'id' | 'displayName'>, scope: Scope, deed: string): Question {
  return { ask: 'scope', scope, place: 'app', id, deed: `${deed} ${displayName}` }
}
