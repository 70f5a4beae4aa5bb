import type { Environment } from '@marcbachmann/cel-js'
import type { ResourceAttributes } from '../auth/rules.ts'

type Ask = (wanted: ResourceAttributes) => boolean

/** The variable `authorizer` of an expression: asks for the rights of whoever sends the request. */
export class Authorizer {
  readonly ask: Ask

  constructor(ask: Ask) {
    this.ask = ask
  }
}

class ResourceCheck {
  readonly ask: Ask
  readonly wanted: Omit<ResourceAttributes, 'verb'>

  constructor(ask: Ask, wanted: Omit<ResourceAttributes, 'verb'>) {
    this.ask = ask
    this.wanted = wanted
  }

  with(more: Partial<ResourceAttributes>): ResourceCheck {
    return new ResourceCheck(this.ask, { ...this.wanted, ...more })
  }
}

class AuthorizerDecision {
  readonly isAllowed: boolean

  constructor(isAllowed: boolean) {
    this.isAllowed = isAllowed
  }
}

/** Adds the functions about rights on resources; those about paths and about other accounts are not there. */
export function withAuthorizer(environment: Environment): Environment {
  const part = (name: 'resource' | 'subresource' | 'namespace' | 'name') =>
    environment.registerFunction(`ResourceCheck.${name}(string): ResourceCheck`, (check: ResourceCheck, text: string) =>
      check.with({ [name]: text }),
    )
  environment
    .registerType('Authorizer', Authorizer)
    .registerType('ResourceCheck', ResourceCheck)
    .registerType('AuthorizerDecision', AuthorizerDecision)
    .registerFunction(
      'Authorizer.group(string): ResourceCheck',
      ({ ask }: Authorizer, group: string) => new ResourceCheck(ask, { group, resource: '' }),
    )
    .registerFunction(
      'ResourceCheck.check(string): AuthorizerDecision',
      ({ ask, wanted }: ResourceCheck, verb: string) => new AuthorizerDecision(ask({ ...wanted, verb })),
    )
    .registerFunction('AuthorizerDecision.allowed(): bool', ({ isAllowed }: AuthorizerDecision) => isAllowed)
  for (const name of ['resource', 'subresource', 'namespace', 'name'] as const) part(name)
  return environment
}
