import { certificates } from './areas/access/certificates.ts'
import { reviews } from './areas/access/reviews.ts'
import { rights } from './areas/access/rights.ts'
import { tokens } from './areas/access/tokens.ts'
import { definitions } from './areas/admission/definitions.ts'
import { limitRanges } from './areas/admission/limit-ranges.ts'
import { podRules } from './areas/admission/pod-rules.ts'
import { podSecurity } from './areas/admission/pod-security.ts'
import { podSecurityLevels } from './areas/admission/pod-security-levels.ts'
import { policies } from './areas/admission/policies.ts'
import { priorities } from './areas/admission/priorities.ts'
import { quotas } from './areas/admission/quotas.ts'
import { rules } from './areas/admission/rules.ts'
import { webhooks } from './areas/admission/webhooks.ts'
import { discovery } from './areas/reading/discovery.ts'
import { leasesAndEvents } from './areas/reading/events.ts'
import { kubectlDescribe } from './areas/reading/kubectl-describe.ts'
import { kubectlGet } from './areas/reading/kubectl-get.ts'
import { openapi } from './areas/reading/openapi.ts'
import { paging } from './areas/reading/paging.ts'
import { selectors } from './areas/reading/selectors.ts'
import { shapes } from './areas/reading/shapes.ts'
import { versions } from './areas/reading/versions.ts'
import { watching } from './areas/reading/watching.ts'
import { evictions } from './areas/workloads/evictions.ts'
import { helm } from './areas/workloads/helm.ts'
import { containers } from './areas/workloads/inside-pods.ts'
import { namespaces } from './areas/workloads/namespaces.ts'
import { networkPolicies } from './areas/workloads/network-policies.ts'
import { scaling } from './areas/workloads/scaling.ts'
import { services } from './areas/workloads/services.ts'
import { apply } from './areas/writing/apply.ts'
import { defaults } from './areas/writing/defaults.ts'
import { deletion } from './areas/writing/deletion.ts'
import { fieldValidation } from './areas/writing/field-validation.ts'
import { immutable } from './areas/writing/immutable.ts'
import { jsonPatches } from './areas/writing/json-patches.ts'
import { kubectlApply } from './areas/writing/kubectl-apply.ts'
import { kubectlChange } from './areas/writing/kubectl-change.ts'
import { kubectlCreate } from './areas/writing/kubectl-create.ts'
import { owners } from './areas/writing/owners.ts'
import { strategicMerge } from './areas/writing/strategic-merge.ts'
import { writing } from './areas/writing/writing.ts'
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
