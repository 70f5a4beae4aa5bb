import { filtered, inPlace, type Policies } from '../http/policy.ts'
import type { apps } from './endpoints.ts'

// space.deploy is enough to change an app that was only assigned; a deployed app needs app.manage. Deleting is an action
// of deployments, and its policy stands there.
const changeApp = inPlace('app', 'params.id', ['app.manage', 'space.deploy'], { sometimesScopes: ['app.manage'] })

export const appPolicies: Policies<typeof apps> = {
  listApps: filtered('app.view'),
  getApp: inPlace('app', 'params.id', 'app.view'),
  patchApp: changeApp,
  addAppTag: changeApp,
  removeAppTag: changeApp,
}
