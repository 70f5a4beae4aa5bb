import { filtered, inPlace, type Policies, type Policy, role, somewhere } from '../http/policy.ts'
import type { deployments } from './endpoints.ts'
import type { ledger } from './ledger.ts'
import type { presets } from './presets.ts'
import { actionScopes, deletionOfAssigned } from './scopes-of-actions.ts'

const works = ['space.deploy', 'app.manage'] as const
const worksSomewhere: Policy = somewhere(works)
// Before an upgrade and a rollback, what is deployed is looked at; without app.secrets its secrets are left out.
const readsRelease = inPlace('app', 'params.id', 'app.view', { sometimesScopes: ['app.secrets'] })
// Values that the form does not offer, and groups that do not exist yet, need further roles.
const writesYaml = role('catalog-apps', 'catalog.apps.deploy.infrastructure.yaml')
const sendsValues = { sometimesRoles: [writesYaml, role('iam-groups', 'groups.create')] }
const seesAction = inPlace('action', 'params.id', 'app.view')
// The action decides which of the two scopes is needed.
const worksOnAction = inPlace('action', 'params.id', works, { sometimesScopes: works })

export const deploymentPolicies: Policies<typeof deployments> = {
  assign: inPlace('space', 'body.spaceId', 'space.deploy'),
  prepare: inPlace('app', 'body.appId', works, { orElse: 'somewhere' }),
  validate: inPlace('app', 'body.appMetadata.appIdentifier', works, { sometimesRoles: [writesYaml] }),
  askApproval: inPlace('app', 'body.appMetadata.appIdentifier', works),
  preview: inPlace('app', 'body.appMetadata.appIdentifier', works, { sometimesScopes: ['app.secrets'] }),
  toYaml: worksSomewhere,
  toJson: worksSomewhere,
  deploy: inPlace('app', 'body.appId', actionScopes.Deploy, sendsValues),
  releaseName: inPlace('app', 'params.appId', 'space.deploy'),
  upgrade: inPlace('app', 'body.appId', actionScopes.Upgrade, sendsValues),
  rollback: inPlace('app', 'body.appId', actionScopes.Rollback),
  // The app decides: one that was only assigned needs less. Leftovers outside of the space are for cluster editors.
  remove: inPlace('app', 'body.app.id', deletionOfAssigned, {
    sometimesScopes: actionScopes.Delete,
    sometimesRoles: [role('clusters', 'clusters.edit')],
  }),
  repair: inPlace('app', 'body.appId', actionScopes.Repair),
  leftovers: inPlace('app', 'params.id', works),
  catalogApp: somewhere(['app.view'], role('catalog-apps', 'catalog.view')),
  revisions: inPlace('app', 'params.id', 'app.view'),
  revision: inPlace('app', 'params.appId', 'app.view', { sometimesScopes: ['app.secrets'] }),
  compareRevisions: readsRelease,
  deployed: filtered('app.view'),
  deployedApp: inPlace('app', 'params.appId', 'app.view'),
  deployedByIds: filtered('app.view'),
  listActions: filtered('app.view'),
  getAction: seesAction,
  cancelAction: worksOnAction,
  abortAction: worksOnAction,
  retryAction: worksOnAction,
  actionEvents: seesAction,
}

export const ledgerPolicies: Policies<typeof ledger> = { listStarters: filtered('app.view') }

export const presetPolicies: Policies<typeof presets> = {
  // Those of a space to who sees its apps, those of the tenant to everybody who works somewhere.
  listPresets: worksSomewhere,
  addPreset: inPlace('space', 'body.spaceId', works, { orElse: 'everywhere', sometimesRoles: [writesYaml] }),
  renamePreset: inPlace('preset', 'params.id', works),
  deletePreset: inPlace('preset', 'params.id', works),
}
