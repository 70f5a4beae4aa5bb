import { html } from './html.ts'
import { complaint, type Page, type PageRealm } from './layout.ts'

interface DeviceForm {
  realm: PageRealm
  /** Where the form goes. */
  action: string
  /** Ties the form to the session, in the engine's own words. */
  xsrf: string
}

/** Asks for the code that a device shows. */
export function deviceCodePage({ realm, action, xsrf }: DeviceForm, userCode: string, error?: string): Page {
  return {
    title: 'Connect a device',
    realm,
    content: html`<h1>Connect a device</h1><p class="lead"><bdi>Enter the code that your device shows.</bdi></p>${complaint(error)}
<form method="post" action="${action}"><input type="hidden" name="xsrf" value="${xsrf}"><div><label for="user_code">Code</label><input id="user_code" class="code" name="user_code" value="${userCode}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required dir="ltr" autofocus${error === undefined ? undefined : html` aria-invalid="true"`}></div><button>Continue</button></form>`,
  }
}

/** Asks whether the device that shows this code is the person's own, before it gets anything. */
export function deviceConfirmPage({ realm, action, xsrf }: DeviceForm, userCode: string, clientName: string): Page {
  const hidden = html`<input type="hidden" name="xsrf" value="${xsrf}"><input type="hidden" name="user_code" value="${userCode}"><input type="hidden" name="confirm" value="yes">`
  return {
    title: 'Connect a device',
    realm,
    content: html`<h1><bdi>Connect ${clientName}?</bdi></h1><p class="lead"><bdi>Go on only if your own device shows this code now. It will act for you.</bdi></p>
<code class="secret">${userCode}</code><br><div class="pair"><form method="post" action="${action}">${hidden}<input type="hidden" name="abort" value="yes"><button class="quiet">No</button></form><form method="post" action="${action}">${hidden}<button>Yes</button></form></div>`,
  }
}

export function deviceDonePage(realm: PageRealm): Page {
  return {
    title: 'Device connected',
    realm,
    content: html`<h1>Your device is connected</h1><p class="lead"><bdi>You can close this window and go on with your device.</bdi></p>`,
  }
}

export function deviceRefusedPage(realm: PageRealm): Page {
  return {
    title: 'Device not connected',
    realm,
    content: html`<h1>The device is not connected</h1><p class="lead"><bdi>It gets nothing of yours. You can close this window.</bdi></p>`,
  }
}
