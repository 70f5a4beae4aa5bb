import { filtered, type Policies, signedIn } from '../http/policy.ts'
import type { tenants } from './endpoints.ts'

export const tenantPolicies: Policies<typeof tenants> = {
  limits: signedIn,
  tenantByRealm: filtered('space.view'),
}
