import { badRequest } from '../../api-error.ts'
import type { Identity } from '../../auth/identity.ts'
import type { PathAttributes, ResourceAttributes } from '../../auth/rules.ts'
import { type FieldError, invalidObject, invalidValue } from '../../field-error.ts'
import type { KubeObject } from '../../object-store.ts'
import { type Doc, docOf, listOf, textOf } from '../../store/doc.ts'
import { takeObject } from '../objects/incoming-object.ts'
import { bodyOf, bodyTypeOf, type ResourceRequest } from '../objects/resource-request.ts'
import { decodeBody } from '../read-body.ts'
import { created, type Reply } from '../reply.ts'
import { fieldValidationOf } from '../request-options.ts'

type Review = (request: ResourceRequest, spec: Doc) => Doc | Promise<Doc>

const invalidReview = (error: FieldError) => invalidObject('authorization.k8s.io', '', '', [error])

function wantedOf(spec: Doc): ResourceAttributes | PathAttributes {
  const about = docOf(spec.resourceAttributes)
  const path = docOf(spec.nonResourceAttributes)
  if (!spec.resourceAttributes === !spec.nonResourceAttributes) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    throw invalidReview(invalidValue('spec.resourceAttributes', spec.resourceAttributes, why))
  }
  if (spec.nonResourceAttributes) return { verb: textOf(path.verb), path: textOf(path.path) }
  return {
    verb: textOf(about.verb),
    group: textOf(about.group),
    resource: textOf(about.resource),
    subresource: textOf(about.subresource) || undefined,
    name: textOf(about.name) || undefined,
    namespace: textOf(about.namespace) || undefined,
  }
}

const verdict = ({ context }: ResourceRequest, identity: Identity, spec: Doc): Doc =>
  context.access.decide(identity, wantedOf(spec))

/** A local review is about the namespace it is asked in. */
function localVerdict(request: ResourceRequest, spec: Doc): Doc {
  const { namespace } = docOf(spec.resourceAttributes)
  if (spec.resourceAttributes && namespace !== request.path.namespace) {
    throw invalidReview(invalidValue('spec.resourceAttributes.namespace', namespace, 'must match metadata.namespace'))
  }
  return verdict(request, reviewedIdentity(spec), spec)
}

const reviewedIdentity = (spec: Doc): Identity => ({
  user: textOf(spec.user),
  groups: listOf(spec.groups).map(textOf),
})

const shownIdentity = ({ user, uid, groups, extra }: Identity): Doc => ({
  username: user,
  ...(uid ? { uid } : {}),
  groups,
  ...(extra && Object.keys(extra).length > 0 ? { extra } : {}),
})

function ownRules({ context, identity }: ResourceRequest, spec: Doc): Doc {
  if (!textOf(spec.namespace)) throw badRequest('no namespace on request')
  const rules = context.access.rulesFor(identity, textOf(spec.namespace))
  return {
    resourceRules: rules.filter((rule) => rule.resources).map(({ nonResourceURLs: _, ...rule }) => rule),
    nonResourceRules: rules.flatMap(({ verbs, nonResourceURLs }) =>
      nonResourceURLs ? [{ verbs, nonResourceURLs }] : [],
    ),
    incomplete: false,
  }
}

async function tokenVerdict({ context }: ResourceRequest, spec: Doc): Promise<Doc> {
  const token = textOf(spec.token)
  if (!token) throw badRequest('token is required for TokenReview in authentication')
  const asked = listOf(spec.audiences).map(textOf)
  const { identity, audiences, problem } = await context.tokens.identify(token, asked.length > 0 ? asked : undefined)
  if (identity) return { authenticated: true, user: shownIdentity(identity), audiences }
  const error = problem ? `[invalid bearer token, ${problem}]` : 'invalid bearer token'
  return { authenticated: false, error, user: {} }
}

const REVIEWS: Record<string, Review> = {
  selfsubjectaccessreviews: (request, spec) => verdict(request, request.identity, spec),
  subjectaccessreviews: (request, spec) => verdict(request, reviewedIdentity(spec), spec),
  localsubjectaccessreviews: localVerdict,
  selfsubjectrulesreviews: ownRules,
  selfsubjectreviews: (request) => ({ userInfo: shownIdentity(request.identity) }),
  tokenreviews: tokenVerdict,
}

/** Questions about rights and identities: answered, never kept. Undefined for resources that are kept. */
export function reviewOf(request: ResourceRequest): (() => Promise<Reply>) | undefined {
  const review = request.type.verbs.includes('get') ? undefined : REVIEWS[request.type.plural]
  if (!review) return undefined
  return async () => {
    const body = decodeBody(bodyTypeOf(request), await bodyOf(request))
    const { object, warnings } = takeObject(request.type, body, fieldValidationOf(request))
    const status = await review(request, docOf(object.spec))
    const metadata = { ...object.metadata, creationTimestamp: null }
    return created({ ...object, metadata, status } satisfies Omit<KubeObject, 'metadata'>, warnings)
  }
}
