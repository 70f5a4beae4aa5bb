import { decodeJwt } from 'jose'
import { CallFailed } from '../directory-client.ts'

/** The portal's HTTP API as a script uses it. */
export type PortalClient = {
  userId: string
  call<Reply>(method: string, path: string, body?: unknown): Promise<Reply>
}

/** Sends JSON, or a form as it is; anything but success is an error with the server's words. */
export function portalClient(url: string, token: string): PortalClient {
  return {
    userId: decodeJwt(token).sub ?? '',
    async call<Reply>(method: string, path: string, body?: unknown) {
      const form = body instanceof FormData
      const answer = await fetch(url + path, {
        method,
        body: body === undefined ? undefined : form ? body : JSON.stringify(body),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
        },
      })
      const text = await answer.text()
      if (!answer.ok) throw new CallFailed(`${method} ${path}`, answer.status, text)
      return (text === '' ? undefined : JSON.parse(text)) as Reply
    },
  }
}
