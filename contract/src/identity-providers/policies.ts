import { holding, type Policies, role } from '../http/policy.ts'
import type { identityProviders } from './endpoints.ts'

const seesLogin = holding(role('iam-loginsettings', 'loginsettings.view'))
const editsLogin = holding(role('iam-loginsettings', 'loginsettings.edit'))

/** Changes also ask for `quayside-admin`, because a provider could speak for anybody who is linked to it. */
export const identityProviderPolicies: Policies<typeof identityProviders> = {
  listIdentityProviders: seesLogin,
  getIdentityProvider: seesLogin,
  discoverIdentityProvider: editsLogin,
  createIdentityProvider: editsLogin,
  updateIdentityProvider: editsLogin,
  deleteIdentityProvider: editsLogin,
  testIdentityProvider: editsLogin,
  listMappings: seesLogin,
  createMapping: editsLogin,
  deleteMapping: editsLogin,
}
