import type { V1ValidatingWebhook, V1ValidatingWebhookConfiguration } from '@kubernetes/client-node'
import { type FieldError, invalidValue, required, unsupported } from '../../field-error.ts'
import type { KubeObject } from '../../object-store.ts'
import { subdomainProblem } from './names.ts'

const SIDE_EFFECTS = ['None', 'NoneOnDryRun']
const LONGEST_WAIT = 30

function nameErrors(field: string, name: string): FieldError[] {
  if (!name) return [required(field)]
  const problem = subdomainProblem(name)
  if (problem) return [invalidValue(field, name, problem)]
  const why = 'should be a domain with at least three segments separated by dots'
  return name.split('.').length < 3 ? [invalidValue(field, name, why)] : []
}

function webhookErrors(at: string, webhook: V1ValidatingWebhook): FieldError[] {
  const { name, sideEffects, timeoutSeconds = 10, clientConfig, admissionReviewVersions } = webhook
  const errors = nameErrors(`${at}.name`, name)
  if (!sideEffects) errors.push(required(`${at}.sideEffects`, `must specify one of ${SIDE_EFFECTS.join(', ')}`))
  else if (!SIDE_EFFECTS.includes(sideEffects)) {
    errors.push(unsupported(`${at}.sideEffects`, sideEffects, SIDE_EFFECTS))
  }
  if (timeoutSeconds < 1 || timeoutSeconds > LONGEST_WAIT) {
    const why = `the timeout value must be between 1 and ${LONGEST_WAIT} seconds`
    errors.push(invalidValue(`${at}.timeoutSeconds`, timeoutSeconds, why))
  }
  if (Boolean(clientConfig?.url) === Boolean(clientConfig?.service)) {
    errors.push(required(`${at}.clientConfig`, 'exactly one of url or service is required'))
  }
  if (!admissionReviewVersions?.length) {
    errors.push(required(`${at}.admissionReviewVersions`, 'must specify one of v1, v1beta1'))
  }
  return errors
}

/** Errors in a configuration of validating or mutating webhooks. */
export function webhooks(draft: KubeObject): FieldError[] {
  const { webhooks: all } = draft as unknown as V1ValidatingWebhookConfiguration
  return (all ?? []).flatMap((webhook, index) => webhookErrors(`webhooks[${index}]`, webhook))
}
