/**
 * The one script with a purpose of its own on the sign-in pages: browsers let a page use passkeys by script alone. It
 * fills the hidden field of the form with what the device answered.
 */
export const passkeyScript = `
for(const form of document.querySelectorAll('form[data-passkey]')){
const note=form.querySelector('[data-problem]'),say=t=>{note.querySelector('bdi').textContent=t;note.hidden=false}
const bytes=t=>Uint8Array.from(atob(t.replace(/-/g,'+').replace(/_/g,'/')),c=>c.charCodeAt(0))
const text=b=>btoa(String.fromCharCode(...new Uint8Array(b))).replace(/\\+/g,'-').replace(/\\//g,'_').replace(/=+$/,'')
const named=list=>(list||[]).map(one=>({...one,id:bytes(one.id)}))
const told={NotAllowedError:'That was cancelled, or took too long. Try again.',InvalidStateError:'This device is set up for you already. Use another one.',SecurityError:'Passkeys need an address with a name, by https or on localhost. Ask an administrator.'}
if(!window.PublicKeyCredential){if(form.dataset.passkey==='create')say('This browser cannot use passkeys. Open this page in another one, or ask an administrator to take this step away.');continue}
form.hidden=false
form.addEventListener('submit',async event=>{
if(form.elements.answer.value)return
event.preventDefault();note.hidden=true
const options=JSON.parse(form.dataset.options)
const publicKey={...options,challenge:bytes(options.challenge),excludeCredentials:named(options.excludeCredentials),allowCredentials:named(options.allowCredentials)}
if(options.user)publicKey.user={...options.user,id:bytes(options.user.id)}
try{
const made=await navigator.credentials[form.dataset.passkey]({publicKey}),r=made.response
const response={clientDataJSON:text(r.clientDataJSON)}
if(r.attestationObject){response.attestationObject=text(r.attestationObject);response.transports=r.getTransports?r.getTransports():[]}
else{response.authenticatorData=text(r.authenticatorData);response.signature=text(r.signature);if(r.userHandle)response.userHandle=text(r.userHandle)}
form.elements.answer.value=JSON.stringify({id:made.id,rawId:text(made.rawId),type:made.type,clientExtensionResults:{},response})
form.submit()
}catch(error){say(told[error.name]||'The device did not answer. Try again.')}
})}`
