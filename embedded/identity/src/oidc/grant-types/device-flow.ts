import type { IncomingMessage } from 'node:http'
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Realm } from '../../directory/realms.ts'
import { deviceCodePage, deviceConfirmPage, deviceDonePage, deviceRefusedPage } from '../../pages/device-pages.ts'
import { type Page, pageHeaders, renderPage } from '../../pages/layout.ts'

/** Where people type the code of a device, as in Keycloak. */
export const DEVICE_PATH = '/device'

/** Codes that came in an address, to be shown in the field: the engine would send such a form by a script of its own. */
const given = new WeakMap<IncomingMessage, string>()

/** Takes the code out of the address of the page. */
export function noteUserCode(req: IncomingMessage): void {
  const url = new URL(req.url ?? '', 'http://internal')
  given.set(req, url.searchParams.get('user_code')?.slice(0, 20) ?? '')
  req.url = url.pathname
}

function show(ctx: KoaContextWithOIDC, page: Page): void {
  for (const [name, value] of Object.entries(pageHeaders(page))) ctx.set(name, value)
  ctx.body = renderPage(ctx.req, page)
}

function complaintAbout(error: Error): string {
  return error.name === 'InvalidRequest'
    ? 'This page was open for too long. Enter the code again.'
    : 'This code is not right, or it is not valid any more.'
}

/** The pages on which a person lets a device act for them (RFC 8628). */
export function deviceFlow(realm: Realm, issuer: string): NonNullable<Configuration['features']>['deviceFlow'] {
  const formOf = (ctx: KoaContextWithOIDC) => {
    const { secret } = (ctx.oidc.session?.state ?? {}) as { secret?: string }
    return { realm, action: `${issuer}${DEVICE_PATH}`, xsrf: secret ?? '' }
  }
  return {
    enabled: true,
    charset: 'base-20',
    mask: '****-****',
    async userCodeInputSource(ctx, _form, _out, error) {
      if (error?.name === 'AbortedError') return show(ctx, deviceRefusedPage(realm))
      show(ctx, deviceCodePage(formOf(ctx), given.get(ctx.req) ?? '', error && complaintAbout(error)))
    },
    async userCodeConfirmSource(ctx, _form, client, _device, userCode) {
      show(ctx, deviceConfirmPage(formOf(ctx), userCode, client.clientName ?? client.clientId))
    },
    async successSource(ctx) {
      show(ctx, deviceDonePage(realm))
    },
  }
}
