import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ErrorReply } from '@quayside/contract/http/errors'
import type { Policy } from '@quayside/contract/http/policy'
import { decodeQuery, QueryStringError } from '@quayside/contract/http/query-string'
import type { Scope } from '@quayside/contract/permissions/scopes'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import {
  hasZodFastifySchemaValidationErrors,
  isResponseSerializationError,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod'
import type { Actor } from '../auth/actor.ts'
import type { Auth } from '../auth/auth.ts'
import { noParty, type Party, Ticketed } from '../auth/party.ts'
import { mustAllowToken } from '../auth/personal-tokens/token-limits.ts'
import { holdsAny, isSettledByToken } from '../auth/policy.ts'
import { forbidden, type Rights } from '../auth/rights.ts'
import { createMethods } from '../db/methods-of.ts'
import type { Logger } from '../logging/logger.ts'
import { boundJson } from './bounded-json.ts'
import { Failure, fail, isDiskFull } from './errors.ts'
import { sentenceOf } from './plain-issues.ts'
import { createRefusalLimit, type RefusalLimit } from './refusal-limit.ts'
import { refuseUnstorable } from './storable-text.ts'
import { trustedProxies } from './trusted-proxies.ts'

export type Http = FastifyInstance

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
    /** Scopes of the caller where the thing is that the call names, once it was allowed. */
    heldScopes: ReadonlySet<Scope> | undefined
  }
  interface FastifyInstance {
    /** The policy of routes in this scope that a library registers and that therefore cannot name their own. */
    scopePolicy: Policy | null
    auth: Pick<Auth, 'actorOf'>
    rights: Rights
    party: Party
  }
  interface FastifyContextConfig {
    policy?: Policy
    /** Its verb is only reached through `authorise`: what most policies ask for needs the parsed call. */
    isAuthorised?: boolean
    /** It changes nothing although it is no GET. */
    onlyReads?: boolean
  }
}

const queryFailure = Symbol('query failure')

interface HttpLimits {
  /** Tells whether an address is that of a proxy whose X-Forwarded-* headers count. */
  isTrusted?: (address: string) => boolean
  refusals?: RefusalLimit
  party?: Party
  /** Certificate and private key as PEM; without them the server speaks http. */
  tls?: { cert: string; key: string }
}

/** For so long, who makes a call counts as who they were when it began. */
const soonMs = 500

/** The HTTP server without routes: parsing, identity, policies and errors, each in one place. */
export function createHttp(
  log: Logger,
  auth: Pick<Auth, 'actorOf' | 'knows'>,
  rights: Rights,
  { isTrusted = trustedProxies([]), refusals = createRefusalLimit(), party = noParty, tls }: HttpLimits = {},
): Http {
  const http: FastifyInstance = Fastify({
    loggerInstance: log,
    ...(tls ? { https: tls } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // Lines of a call carry its ids by themselves.
    childLoggerFactory: (logger) => logger,
    bodyLimit: 1024 * 1024,
    requestTimeout: 60_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    trustProxy: isTrusted,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      sendError(
        fail('request.invalid', { field: 'path', message: 'This is no address.', cause: error }),
        request,
        reply,
      )
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 256, querystringParser: parseQuery },
  }) as unknown as FastifyInstance
  http.setValidatorCompiler(validatorCompiler)
  http.setSerializerCompiler(serializerCompiler)
  http.setErrorHandler(sendError)
  const methods = createMethods()

  /** Bodies for addresses that are none are not read: nobody has said who sends them. */
  function refuseUnknown(request: FastifyRequest, reply: FastifyReply): void {
    if (!request.is404) return
    const allowed = methods.of(request.url.split('?', 1)[0] ?? '')
    if (!allowed.length) throw fail('request.not-found')
    reply.header('allow', allowed.join(', '))
    throw fail('request.wrong-method', {
      message: `This address answers ${allowed.join(', ')}, not ${request.method}.`,
    })
  }

  http.setNotFoundHandler(async (request, reply) => refuseUnknown(request, reply))
  boundJson(http)
  const admit = createDoor(auth, refusals)
  http.decorateRequest('actor', null).decorateRequest('heldScopes', undefined)
  http.decorate('scopePolicy', null)
  http.decorate('auth', auth)
  http.decorate('rights', rights)
  http.decorate('party', party)
  http.addHook('onRoute', function requirePolicy(route) {
    const policy = route.config?.policy ?? this.scopePolicy
    if (!policy)
      throw new Error(
        `${route.method} ${route.url} has no policy: say in contract/src/<capability>/policies.ts who may call it`,
      )
    if (!isSettledByToken(policy) && route.config?.isAuthorised !== true)
      throw new Error(`${route.method} ${route.url} asks for scopes and is not put on the server by serve()`)
    route.config = { ...route.config, policy }
    methods.add(route.url, [route.method].flat())
  })
  http.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (request.routeOptions.config.policy?.kind !== 'public') reply.header('cache-control', 'no-store')
    refuseUnknown(request, reply)
    ignoreTypeOfNothing(request.raw.headers)
    const broken = (request.query as Record<symbol, unknown> | undefined)?.[queryFailure]
    if (broken instanceof Error)
      throw fail('request.invalid', { field: 'query', message: broken.message, cause: broken })
    await admit(request)
  })
  http.addHook('preValidation', async (request, reply) => {
    refuseUnstorable(request)
    // A body may have taken its time to arrive, and whoever sends it may have lost their rights meanwhile.
    if (reply.elapsedTime > soonMs) await admit(request)
  })
  return http
}

/** Puts the caller on a request, or refuses it, by its token and the roles that its policy asks for. */
function createDoor(auth: Pick<Auth, 'actorOf' | 'knows'>, refusals: ReturnType<typeof createRefusalLimit>) {
  /** Tokens that are refused cost us more than others, so whoever brings many is asked to wait before they are read. */
  async function actorOf(request: FastifyRequest): Promise<Actor> {
    const token = bearerOf(request)
    if (!auth.knows(token) && refusals.isOver(request.ip)) throw fail('request.too-many')
    try {
      return await auth.actorOf(token)
    } catch (error) {
      if (error instanceof Failure && error.status === 401) refusals.count(request.ip)
      throw error
    }
  }

  return async function admit(request: FastifyRequest): Promise<void> {
    const policy = request.routeOptions.config.policy
    if (!policy || policy.kind === 'public') return
    request.actor = await actorOf(request)
    mustAllowToken(request.actor, `${request.method} ${request.routeOptions.url}`)
    if (policy.kind === 'role' && !holdsAny(request.actor, policy.anyOf)) throw forbidden(policy.anyOf)
  }
}

/** Many clients say with every call that they send JSON; without a body there is none to parse. */
function ignoreTypeOfNothing(headers: IncomingHttpHeaders): void {
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  if (isEmpty && /^application\/json\b/i.test(headers['content-type'] ?? '')) delete headers['content-type']
}

function parseQuery(raw: string): Record<string, unknown> {
  try {
    return decodeQuery(raw)
  } catch (error) {
    if (error instanceof QueryStringError) return { [queryFailure]: error } as Record<string, unknown>
    throw error
  }
}

/** The token of a call. */
export function bearerOf(request: FastifyRequest): string {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || !token) throw fail('auth.missing')
  return token
}

/**
 * The one place where an error becomes an answer. What is not in the catalogue is a 500 that says nothing of the
 * inside.
 */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const ticket = error instanceof Ticketed ? error.ticket : undefined
  const failure = toldOf(toFailure(error instanceof Ticketed ? error.refusal : error), request.method)
  const { id: requestId, url, actor } = request
  if (failure.status >= 500)
    request.log.error({ err: error, requestId, tenantId: actor?.tenantId, url }, failure.message)
  const isForLater = failure.status === 429 || failure.status === 503
  if (isForLater && !reply.hasHeader('retry-after')) reply.header('retry-after', '1')
  if (failure.status === 401) reply.header('www-authenticate', 'Bearer')
  const status = ticket === undefined ? failure.status : 401
  const body: ErrorReply & { success?: false; error?: string } = {
    status,
    code: failure.code,
    message: failure.message,
    field: failure.field,
    details: failure.details,
    requestId: request.id,
  }
  if (request.routeOptions.url?.endsWith('/uploadasync')) Object.assign(body, { success: false, error: failure.code })
  if (ticket !== undefined) reply.header('ticket', ticket).header('www-authenticate', `UMA ticket="${ticket}"`)
  return reply.status(status).type('application/json').serializer(JSON.stringify).send(body)
}

/** A caller who only reads has no outcome to check, so the failure becomes `database.unavailable`. */
function toldOf(failure: Failure, method: string): Failure {
  const isReading = method === 'GET' || method === 'HEAD'
  return isReading && failure.code === 'database.outcome-unknown'
    ? fail('database.unavailable', { cause: failure.cause })
    : failure
}

const partNames: Record<string, string> = { body: 'The body', querystring: 'The query', params: 'The address' }

function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issue = error.validation[0]
    const path = issue?.instancePath.split('/').filter(Boolean).join('.') ?? ''
    const part = error.validationContext ?? 'body'
    const message = sentenceOf(path || (partNames[part] ?? part), issue?.message ?? 'is not valid')
    return fail('request.invalid', { field: path || part, message, cause: error })
  }
  if (isDiskFull(error)) return fail('deployment.disk-full', { cause: error })
  if (isResponseSerializationError(error)) return fail('internal', { cause: error })
  return fromFastify(error)
}

const byStatus = {
  413: 'request.too-large',
  415: 'request.unsupported-media-type',
  429: 'request.too-many',
  404: 'request.not-found',
} as const

function fromFastify(error: unknown): Failure {
  const status = (error as FastifyError | undefined)?.statusCode
  if (!status || status >= 500) return fail('internal', { cause: error })
  const code = status in byStatus ? byStatus[status as keyof typeof byStatus] : 'request.invalid'
  return fail(code, {
    field: code === 'request.invalid' ? 'body' : undefined,
    message: (error as Error).message,
    cause: error,
  })
}
