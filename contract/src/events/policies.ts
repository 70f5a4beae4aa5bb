import { holding, type Policies, role } from '../http/policy.ts'
import type { events } from './endpoints.ts'

const seesSettings = holding(role('iam-loginsettings', 'loginsettings.view'))

export const eventPolicies: Policies<typeof events> = {
  // Events tell where people are signed in, and from where.
  findEvents: holding(role('iam-users', 'users.sessions.view')),
  findAdminEvents: seesSettings,
  eventSettings: seesSettings,
  setEventSettings: holding(role('iam-loginsettings', 'loginsettings.edit')),
}
