import type { deployment } from '@quayside/contract/deployment'
import type { ledger } from '@quayside/contract/ledger'
import type { presets } from '@quayside/contract/presets'
import { type Policies, type Policy, role } from '../../kernel/policy.ts'

const deploys: Policy = role('catalog-apps', 'catalog.deploy')
const manages: Policy = role('catalog-apps', 'catalog.deployments.manage')
// A deployment whose wizard is open can be looked at: who deploys or manages sees deployments, too.
export const views: Policy = role(
  'catalog-apps',
  'catalog.deployments.view',
  { section: 'catalog-apps', role: 'catalog.deploy' },
  { section: 'catalog-apps', role: 'catalog.deployments.manage' },
)
const works: Policy = role('catalog-apps', 'catalog.deploy', {
  section: 'catalog-apps',
  role: 'catalog.deployments.manage',
})

export const policies: Policies<typeof deployment> = {
  assign: deploys,
  // An upgrade prepares and validates too.
  prepare: works,
  validate: works,
  preview: works,
  toYaml: works,
  toJson: works,
  deploy: deploys,
  releaseName: deploys,
  upgrade: manages,
  rollback: manages,
  // What was only assigned can be taken back by those who may assign it; the same goes for what waits.
  remove: works,
  repair: manages,
  leftovers: works,
  catalogApp: views,
  revisions: views,
  revision: views,
  compareRevisions: views,
  deployed: views,
  deployedApp: views,
  deployedByIds: views,
  listActions: views,
  getAction: views,
  cancelAction: works,
  // Which of the two it takes depends on what is done again.
  retryAction: works,
  actionEvents: views,
}

export const ledgerPolicies: Policies<typeof ledger> = { listStarters: views }

export const presetPolicies: Policies<typeof presets> = {
  listPresets: works,
  addPreset: works,
  renamePreset: works,
  deletePreset: works,
}
