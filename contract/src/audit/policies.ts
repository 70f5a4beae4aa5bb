import { holding, type Policies, role } from '../http/policy.ts'
import type { audit } from './endpoints.ts'

const seesAudit = holding(role('iam-loginsettings', 'audit.view'))

export const auditPolicies: Policies<typeof audit> = { listAudit: seesAudit, exportAudit: seesAudit }
