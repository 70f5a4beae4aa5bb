// Runs before the first paint, so that the remembered theme and direction never flash; plain ES5-style on purpose.
;(() => {
  // The hidden frame of a silent sign-in only hands its address to the page around it and loads nothing more.
  if (window.parent !== window && /[?&]state=/.test(location.search)) {
    window.parent.postMessage({ source: 'oidc-client', url: location.href }, location.origin)
    window.stop()
    return
  }
  const root = document.documentElement
  let theme = null
  let direction = null
  let sideBar = null
  try {
    theme = localStorage.getItem('quayside.theme')
    direction = localStorage.getItem('quayside.direction')
    sideBar = localStorage.getItem('quayside.side-bar')
  } catch {
    // Storage may be forbidden: the defaults hold.
  }
  root.setAttribute('data-mantine-color-scheme', theme === 'app-light' ? 'light' : 'dark')
  root.setAttribute('dir', direction === 'rtl' ? 'rtl' : 'ltr')
  root.setAttribute('data-side-bar', sideBar === 'icons' ? 'icons' : 'full')
})()
