import { appLinks as endpoints } from '@quayside/contract/app-links/endpoints'
import { appLinkPolicies } from '@quayside/contract/app-links/policies'
import { fail } from '../../platform/http/errors.ts'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { AppLinks } from './index.ts'

export function routes(http: Http, appLinks: AppLinks): void {
  serve(http, endpoints, appLinkPolicies, {
    listAppLinks: ({ actor, query }) => appLinks.list(actor, query),
    addAppLink: ({ actor, body }) => appLinks.add(actor, body),
    changeAppLink: ({ actor, params, body }) => appLinks.change(actor, params.id, body),
    deleteAppLink: ({ actor, params }) => appLinks.remove(actor, params.id),
    async addAppLinkTag({ actor, params, body }) {
      // The tag stands in the path; a client that sends it as the body too means the same.
      if (typeof body === 'string' && body !== '' && body.trim() !== params.tag)
        throw fail('request.invalid', { field: 'tag', message: 'tag: the body differs from the path' })
      return appLinks.setTag(actor, params.id, params.tag, true)
    },
    removeAppLinkTag: ({ actor, params }) => appLinks.setTag(actor, params.id, params.tag, false),
  })
}
