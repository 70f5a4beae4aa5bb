import { apply } from './areas/apply.ts'
import { certificates } from './areas/certificates.ts'
import { defaults } from './areas/defaults.ts'
import { definitions } from './areas/definitions.ts'
import { deletion } from './areas/deletion.ts'
import { discovery } from './areas/discovery.ts'
import { leasesAndEvents } from './areas/events.ts'
import { evictions } from './areas/evictions.ts'
import { fieldValidation } from './areas/field-validation.ts'
import { helm } from './areas/helm.ts'
import { immutable } from './areas/immutable.ts'
import { containers } from './areas/inside-pods.ts'
import { jsonPatches } from './areas/json-patches.ts'
import { kubectlApply } from './areas/kubectl-apply.ts'
import { kubectlChange } from './areas/kubectl-change.ts'
import { kubectlCreate } from './areas/kubectl-create.ts'
import { kubectlDescribe } from './areas/kubectl-describe.ts'
import { kubectlGet } from './areas/kubectl-get.ts'
import { limitRanges } from './areas/limit-ranges.ts'
import { namespaces } from './areas/namespaces.ts'
import { networkPolicies } from './areas/network-policies.ts'
import { openapi } from './areas/openapi.ts'
import { owners } from './areas/owners.ts'
import { paging } from './areas/paging.ts'
import { podRules } from './areas/pod-rules.ts'
import { podSecurity } from './areas/pod-security.ts'
import { podSecurityLevels } from './areas/pod-security-levels.ts'
import { policies } from './areas/policies.ts'
import { priorities } from './areas/priorities.ts'
import { quotas } from './areas/quotas.ts'
import { reviews } from './areas/reviews.ts'
import { rights } from './areas/rights.ts'
import { rules } from './areas/rules.ts'
import { scaling } from './areas/scaling.ts'
import { selectors } from './areas/selectors.ts'
import { services } from './areas/services.ts'
import { shapes } from './areas/shapes.ts'
import { strategicMerge } from './areas/strategic-merge.ts'
import { tokens } from './areas/tokens.ts'
import { versions } from './areas/versions.ts'
import { watching } from './areas/watching.ts'
import { webhooks } from './areas/webhooks.ts'
import { writing } from './areas/writing.ts'
import type { Check } from './check.ts'

/** Every check there is. */
export const suite: readonly Check[] = [
  namespaces,
  discovery,
  openapi,
  writing,
  fieldValidation,
  jsonPatches,
  strategicMerge,
  apply,
  paging,
  versions,
  selectors,
  shapes,
  watching,
  deletion,
  owners,
  rights,
  reviews,
  tokens,
  defaults,
  podRules,
  podSecurity,
  podSecurityLevels,
  rules,
  immutable,
  services,
  networkPolicies,
  quotas,
  limitRanges,
  priorities,
  evictions,
  scaling,
  definitions,
  policies,
  webhooks,
  certificates,
  leasesAndEvents,
  containers,
  kubectlGet,
  kubectlDescribe,
  kubectlCreate,
  kubectlApply,
  kubectlChange,
  helm,
].flat()
