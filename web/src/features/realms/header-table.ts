import type { SecurityHeaders } from '@quayside/contract/realms/endpoints'
import type { Setting } from './setting.ts'

const whenEmptied = (sentence: string) => (next: string) => (next === '' ? sentence : undefined)
const framed = 'Other sites can show the sign-in page inside of their own and have people type their password there.'

/** Headers of the sign-in pages, which browsers hold to. */
export const headerTable: readonly Setting<SecurityHeaders>[] = [
  {
    ...{ kind: 'text', key: 'xFrameOptions', label: 'X-Frame-Options', safe: 'DENY' },
    means: 'Which sites may show the sign-in page inside of theirs. DENY: none; SAMEORIGIN: this one.',
    warns: (next) => (/^(deny|sameorigin)$/i.test(next) ? undefined : framed),
  },
  {
    ...{ kind: 'text', key: 'xContentTypeOptions', label: 'X-Content-Type-Options', safe: 'nosniff' },
    means: 'nosniff: browsers take files for what they are called and do not guess.',
    warns: whenEmptied('Browsers guess what a file is, and may run what was not meant to be run.'),
  },
  {
    ...{ kind: 'text', key: 'xRobotsTag', label: 'X-Robots-Tag', safe: 'none' },
    means: 'none: search engines do not list the sign-in page.',
    warns: whenEmptied('Search engines may list the sign-in page.'),
  },
  {
    ...{ kind: 'text', key: 'referrerPolicy', label: 'Referrer-Policy', safe: 'same-origin' },
    means: 'Whom browsers tell from which page somebody came. same-origin: this site alone.',
    warns: (next) =>
      /^(same-origin|no-referrer)$/i.test(next) ? undefined : 'Other sites can be told addresses of the sign-in pages.',
  },
  {
    ...{ kind: 'text', key: 'strictTransportSecurity', label: 'Strict-Transport-Security' },
    safe: 'max-age=31536000; includeSubDomains',
    means: 'Browsers that came by HTTPS once come by HTTPS alone from then on, for as many seconds.',
    warns: (next) =>
      /max-age=0*[1-9]/i.test(next) ? undefined : 'A network in between can lead people to a page without HTTPS.',
  },
  {
    ...{ kind: 'text', key: 'contentSecurityPolicy', label: 'Content-Security-Policy', long: true },
    safe: "frame-src 'self'; frame-ancestors 'none'; object-src 'none';",
    means: 'What the sign-in page may load and where it may be shown, beside what the identity server says itself.',
    warns: (next) =>
      /frame-ancestors/i.test(next)
        ? 'A wrong Content-Security-Policy can keep everybody from signing in: try it in another window before you sign out.'
        : framed,
  },
  {
    ...{ kind: 'text', key: 'contentSecurityPolicyReportOnly', label: 'Content-Security-Policy-Report-Only', safe: '' },
    long: true,
    means: 'A policy that browsers only report about, to try it.',
  },
]
