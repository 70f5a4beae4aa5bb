import type { PreparedVersion } from '@quayside/contract/deployments/endpoints'
import type { Encryption } from '../../../platform/encryption/encryption.ts'
import type { AccessGroup, WorkloadChange } from '../ports.ts'
import type { LeftoverPlan } from '../releases/leftover-plan.ts'
import type { ActionRow } from '../tables.ts'

/** The parts of a command that its action needs later; stored sealed, because values can hold passwords. */
export type CommandInput =
  | { kind: 'Assign' }
  | { kind: 'Prepare'; versionId: string; appId: string | null }
  | {
      kind: 'Deploy'
      yaml: string
      secretPaths: string[][]
      groups: AccessGroup[]
      realm: string
      giveUpEarly?: boolean
    }
  /** Without groups, whoever may enter the deployed revision may enter the new one. */
  | {
      kind: 'Upgrade'
      yaml: string
      secretPaths: string[][]
      groups?: AccessGroup[]
      realm: string
      giveUpEarly?: boolean
    }
  | { kind: 'Rollback'; revision: number; realm: string; giveUpEarly?: boolean }
  | { kind: 'Repair'; force?: boolean }
  | { kind: 'ChangeWorkload'; change: WorkloadChange; words: string }
  | { kind: 'Delete'; realm: string; leftovers?: LeftoverPlan }
  | { kind: 'DeleteSpace'; spaceId: string; namespace: string; clusters: { id: string; name: string }[] }
  | { kind: 'LeaveCluster'; spaceId: string; namespace: string; clusterId: string }
  /** With the namespaces of the spaces that used it. */
  | { kind: 'DeregisterCluster'; clusterId: string; namespaces: string[]; forget: boolean }

export const inputPlace = (actionId: string) => `action.input:${actionId}`
export const preparedPlace = (actionId: string) => `action.prepared:${actionId}`

export function encryptInput(encryption: Encryption, tenantId: string, actionId: string, input: CommandInput): string {
  return encryption.encrypt(tenantId, inputPlace(actionId), JSON.stringify(input))
}

export function decryptInput(
  encryption: Encryption,
  action: Pick<ActionRow, 'tenant_id' | 'id' | 'input'>,
): CommandInput {
  return JSON.parse(encryption.decrypt(action.tenant_id, inputPlace(action.id), action.input)) as CommandInput
}

export function encryptPrepared(
  encryption: Encryption,
  action: Pick<ActionRow, 'tenant_id' | 'id'>,
  prepared: PreparedVersion,
) {
  return encryption.encrypt(action.tenant_id, preparedPlace(action.id), JSON.stringify(prepared))
}

export function decryptPrepared(
  encryption: Encryption,
  action: Pick<ActionRow, 'tenant_id' | 'id' | 'prepared'>,
): PreparedVersion | null {
  if (action.prepared === null) return null
  return JSON.parse(encryption.decrypt(action.tenant_id, preparedPlace(action.id), action.prepared)) as PreparedVersion
}
