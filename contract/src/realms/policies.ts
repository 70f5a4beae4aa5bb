import { holding, type Policies, role } from '../http/policy.ts'
import type { realms } from './endpoints.ts'

const seesPolicies = holding(role('iam-policies', 'policies.view'))
const editsPolicies = holding(role('iam-policies', 'policies.edit'))
const seesLogin = holding(role('iam-loginsettings', 'loginsettings.view'))
const editsLogin = holding(role('iam-loginsettings', 'loginsettings.edit'))

export const realmPolicies: Policies<typeof realms> = {
  getRealm: holding(role('iam-policies', 'policies.view'), role('iam-loginsettings', 'loginsettings.view')),
  passwordPolicy: seesPolicies,
  passwordPolicyOf: seesPolicies,
  setPasswordPolicy: editsPolicies,
  setPasswordPolicyOf: editsPolicies,
  otpPolicy: seesPolicies,
  setOtpPolicy: editsPolicies,
  loginSettings: seesLogin,
  loginSettingsOf: seesLogin,
  setLoginSettings: editsLogin,
  setLoginSettingsOf: editsLogin,
  requiredActions: seesLogin,
  securityHeaders: seesLogin,
  securityHeadersOf: seesLogin,
  setSecurityHeaders: editsLogin,
  setSecurityHeadersOf: editsLogin,
  bruteForceDetection: seesLogin,
  bruteForceDetectionOf: seesLogin,
  setBruteForceDetection: editsLogin,
  setBruteForceDetectionOf: editsLogin,
}
