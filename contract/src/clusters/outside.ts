import { z } from 'zod'
import { AppMetadata, Yaml } from '../deployments/deploy-data.ts'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ById } from '../http/primitives.ts'
import { Approval, AskedRight, OutsideNeed } from './rules.ts'

const endpoint = endpointsOf('deployment')

/** Objects that a release needs outside of its space. */
export const Outside = z.object({
  needs: z.array(OutsideNeed),
  /** With it deployed, its space is elevated; the caller needs the rights of `asksFor`, or an approval of just this. */
  elevates: z.boolean(),
  /** The rights that its objects ask for: all of them. */
  asksFor: z.array(AskedRight),
  /** The newest request about this app for what no rule of the cluster allows. */
  approvalId: z.string().nullable(),
  /** Somebody can be asked for all that is missing (`askApproval`). */
  canAsk: z.boolean(),
})
export type Outside = z.infer<typeof Outside>

export const AskApproval = z.object({
  appMetadata: AppMetadata,
  yaml: Yaml,
  reason: z.string().trim().min(1, 'Reason required').max(longest.note, `at most ${longest.note} characters`),
})
export type AskApproval = z.infer<typeof AskApproval>

export const askingApproval = {
  askApproval: endpoint('POST', '/v1/helm/deployment/approvals/:id', {
    summary:
      'Ask for what catalog version id needs outside of the space with these values; an open request is replaced',
    params: ById,
    body: AskApproval,
    reply: Approval,
    status: 201,
  }),
}
