import { v as vueExports, s as ssrRenderAttrs_1, c as ssrRenderSlot_1, b as ssrInterpolate_1, _ as _export_sfc, a as ssrRenderAttr_1, d as ssrRenderList_1, e as ssrRenderComponent_1, f as ssrRenderVNode, g as ssrRenderClass_1, r as renderToString_1 } from "./plugin-vue_export-helper.BkDUGaw1.js";
import "node:stream";
const _sfc_main$14 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPBadge",
  __ssrInlineRender: true,
  props: {
    text: {},
    type: { default: "tip" }
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<span${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPBadge", __props.type]
      }, _attrs))}>`);
      ssrRenderSlot_1(_ctx.$slots, "default", {}, () => {
        _push(`${ssrInterpolate_1(__props.text)}`);
      }, _push, _parent);
      _push(`</span>`);
    };
  }
});
const _sfc_setup$14 = _sfc_main$14.setup;
_sfc_main$14.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPBadge.vue");
  return _sfc_setup$14 ? _sfc_setup$14(props, ctx) : void 0;
};
function deserializeFunctions(r) {
  return Array.isArray(r) ? r.map(deserializeFunctions) : typeof r == "object" && r !== null ? Object.keys(r).reduce((t, n) => (t[n] = deserializeFunctions(r[n]), t), {}) : typeof r == "string" && r.startsWith("_vp-fn_") ? new Function(`return ${r.slice(7)}`)() : r;
}
const siteData = deserializeFunctions(JSON.parse('{"lang":"en","dir":"ltr","title":"fastify-accounts","description":"User accounts for Fastify: signup, login, second factors, passkeys, sessions and staff, on your database, with your email.","base":"/","head":[],"router":{"prefetchLinks":true},"appearance":true,"themeConfig":{"nav":[{"text":"Start","link":"/start"},{"text":"Guides","link":"/guides/own-routes"},{"text":"Reference","link":"/routes"},{"text":"Options","link":"/options/service"},{"text":"Adapters","link":"/adapters/kysely"},{"text":"Security","link":"/security"},{"text":"API","link":"/api/"},{"text":"v0.1.0","items":[{"text":"Changelog","link":"/changelog"},{"text":"Version policy","link":"/versioning"}]}],"sidebar":{"/":[{"text":"Start","items":[{"text":"Getting started","link":"/start","file":"docs/start.md","note":"a first login, a database and real email"},{"text":"How it works","link":"/how-it-works","file":"docs/how-it-works.md","note":"in diagrams"},{"text":"Comparison","link":"/comparison","file":"docs/comparison.md","note":"with better-auth, @fastify/session by hand, Passport, Auth.js, allauth and Rodauth"}],"collapsed":false},{"text":"Guides","items":[{"text":"Your own routes","link":"/guides/own-routes","file":"docs/guides/own-routes.md","note":"who is logged in, recent logins, staff only"},{"text":"Cross-site requests","link":"/guides/cross-site","file":"docs/guides/cross-site.md","note":"to your own routes"},{"text":"WebSockets","link":"/guides/websockets","file":"docs/guides/websockets.md","note":"who is logged in at each message"},{"text":"Roles and permissions","link":"/guides/roles","file":"docs/guides/roles.md","note":"who may do what, besides staff"},{"text":"Invitations","link":"/guides/invitations","file":"docs/guides/invitations.md","note":"by email, with roles and fields"},{"text":"Custom user fields","link":"/guides/own-fields","file":"docs/guides/own-fields.md","note":""},{"text":"Rules of your app","link":"/guides/own-rules","file":"docs/guides/own-rules.md","note":"who may sign up and log in, captchas, invitation codes, terms, roles"},{"text":"An existing users table","link":"/guides/existing-table","file":"docs/guides/existing-table.md","note":""},{"text":"Keep your paths and shapes","link":"/guides/keep-your-paths","file":"docs/guides/keep-your-paths.md","note":"for clients that nobody changes"},{"text":"Your own rows beside users","link":"/guides/own-tables","file":"docs/guides/own-tables.md","note":"in the same transaction"},{"text":"TypeScript","link":"/guides/typescript","file":"docs/guides/typescript.md","note":"types for `app.accounts` and `request.user`"},{"text":"Without HTTP","link":"/guides/without-http","file":"docs/guides/without-http.md","note":"create and change users in code"},{"text":"Realms","link":"/guides/realms","file":"docs/guides/realms.md","note":"staff and customers in one app"},{"text":"Testing your app","link":"/guides/testing","file":"docs/guides/testing.md","note":"a kit for the tests of your own routes, with vitest, node:test or Jest"},{"text":"Tokens","link":"/tokens","file":"docs/tokens.md","note":"bearer tokens for mobile apps, command lines and other clients without cookies"},{"text":"Tokens in React Native","link":"/guides/tokens-react-native","file":"docs/guides/tokens-react-native.md","note":"a login in Expo SecureStore"},{"text":"Tokens in a command line","link":"/guides/tokens-command-line","file":"docs/guides/tokens-command-line.md","note":"a login in a file"},{"text":"Tokens in a browser","link":"/guides/tokens-spa","file":"docs/guides/tokens-spa.md","note":"what a page on another site costs"},{"text":"Tokens between services","link":"/guides/tokens-service","file":"docs/guides/tokens-service.md","note":"who sent a request, and programs without a person"},{"text":"API keys","link":"/guides/api-keys","file":"docs/guides/api-keys.md","note":"programs that call your routes, and service accounts"},{"text":"Second factor","link":"/guides/second-factor","file":"docs/guides/second-factor.md","note":"authenticator apps and recovery codes"},{"text":"Passkeys","link":"/passkeys","file":"docs/passkeys.md","note":"sign up and log in without a password"},{"text":"Login codes by email","link":"/guides/email-code","file":"docs/guides/email-code.md","note":""},{"text":"Other providers","link":"/providers","file":"docs/providers.md","note":"Google, Microsoft, Apple, GitHub, LinkedIn or any OpenID Connect issuer"},{"text":"Your own login method","link":"/guides/own-login","file":"docs/guides/own-login.md","note":"such as another system\'s cookie or a link in your app"},{"text":"SAML","link":"/guides/saml","file":"docs/guides/saml.md","note":"with a SAML library"},{"text":"Your own emails","link":"/guides/own-emails","file":"docs/guides/own-emails.md","note":"a welcome and the like, through the same outbox"},{"text":"Your own feature","link":"/guides/own-feature","file":"docs/guides/own-feature.md","note":"routes, emails, limits and errors from your own package"},{"text":"NestJS","link":"/guides/nestjs","file":"docs/guides/nestjs.md","note":"a guard and an exception filter"},{"text":"GraphQL and tRPC","link":"/guides/graphql-trpc","file":"docs/guides/graphql-trpc.md","note":"the user in your context"},{"text":"React with Vite","link":"/guides/react","file":"docs/guides/react.md","note":"a single-page app on the same origin"},{"text":"Vue","link":"/guides/vue","file":"docs/guides/vue.md","note":""},{"text":"Next.js front-end","link":"/guides/nextjs","file":"docs/guides/nextjs.md","note":"server components and a login form"},{"text":"SvelteKit front-end","link":"/guides/sveltekit","file":"docs/guides/sveltekit.md","note":"server-rendered pages"},{"text":"Single-page app on another origin","link":"/guides/single-page-app","file":"docs/guides/single-page-app.md","note":"CORS, cookies, and your own pages behind emailed links"},{"text":"Migrating from Django","link":"/guides/from-django","file":"docs/guides/from-django.md","note":"with or without dj-rest-auth"},{"text":"Migrating from better-auth","link":"/guides/from-better-auth","file":"docs/guides/from-better-auth.md","note":""},{"text":"Migrating from Passport","link":"/guides/from-passport","file":"docs/guides/from-passport.md","note":""},{"text":"Migrating from Devise","link":"/guides/from-devise","file":"docs/guides/from-devise.md","note":""},{"text":"Migrating from @fastify/jwt","link":"/guides/from-fastify-jwt","file":"docs/guides/from-fastify-jwt.md","note":"old JWTs keep working for a while"}],"collapsed":false},{"text":"Reference","items":[{"text":"Routes","link":"/routes","file":"docs/routes.md","note":"requests, responses and errors"},{"text":"Options","link":"/options","file":"docs/options.md","note":""},{"text":"Errors","link":"/errors","file":"docs/errors.md","note":""},{"text":"Emails","link":"/emails","file":"docs/emails.md","note":"what is sent, how it looks, how links work"},{"text":"Languages","link":"/languages","file":"docs/languages.md","note":"translations, and changing texts"},{"text":"Events","link":"/events","file":"docs/events.md","note":"audit events for each request"},{"text":"Client","link":"/client","file":"docs/client.md","note":"typed, for browsers, React Native and Node.js"},{"text":"OpenAPI","link":"/openapi","file":"docs/openapi.md","note":""},{"text":"Command line","link":"/cli","file":"docs/cli.md","note":"migrations, first users, imports, diagnosis"}],"collapsed":false},{"text":"Options","items":[{"text":"Service","link":"/options/service","file":"docs/options/service.md","note":"secret, URL, prefix, decorators"},{"text":"Routes and fields","link":"/options/routes","file":"docs/options/routes.md","note":"groups, variants, your own fields"},{"text":"Adapters","link":"/options/adapters","file":"docs/options/adapters.md","note":"stores, mailer, signer, hasher"},{"text":"Rules","link":"/options/rules","file":"docs/options/rules.md","note":"authorization, passwords, sessions, links"},{"text":"Emails","link":"/options/mails","file":"docs/options/mails.md","note":""},{"text":"Brand and languages","link":"/options/brand","file":"docs/options/brand.md","note":""},{"text":"Rate limits","link":"/options/limits","file":"docs/options/limits.md","note":"attempts and emails"}],"collapsed":false},{"text":"Adapters","items":[{"text":"Kysely","link":"/adapters/kysely","file":"docs/adapters/kysely.md","note":"users and sessions in SQLite, PostgreSQL, MariaDB or MySQL (untested)"},{"text":"With Prisma","link":"/adapters/prisma","file":"docs/adapters/prisma.md","note":"on its client, in its migrations, beside your models"},{"text":"With Drizzle","link":"/adapters/drizzle","file":"docs/adapters/drizzle.md","note":"the same"},{"text":"Redis","link":"/adapters/redis","file":"docs/adapters/redis.md","note":"sessions and rate limits"},{"text":"nodemailer","link":"/adapters/nodemailer","file":"docs/adapters/nodemailer.md","note":"email over SMTP"},{"text":"Password hashes of other systems","link":"/adapters/hashes","file":"docs/adapters/hashes.md","note":"verified and replaced at login"},{"text":"Writing a user store","link":"/adapters/user-store","file":"docs/adapters/user-store.md","note":""},{"text":"Writing a session store","link":"/adapters/session-store","file":"docs/adapters/session-store.md","note":""},{"text":"Writing an invitation store","link":"/adapters/invitation-store","file":"docs/adapters/invitation-store.md","note":""},{"text":"Accounts in your own database","link":"/adapters/your-database","file":"docs/adapters/your-database.md","note":"which way to choose, and Kysely beside an ORM"},{"text":"Stores on tables","link":"/adapters/table-stores","file":"docs/adapters/table-stores.md","note":"through your own client or ORM, one statement per function"},{"text":"An example in SQL","link":"/adapters/sql","file":"docs/adapters/sql.md","note":"such stores and an outbox, to copy for your own database"},{"text":"With Mongoose","link":"/adapters/mongoose","file":"docs/adapters/mongoose.md","note":"such stores in MongoDB (untested)"},{"text":"Writing a mailer","link":"/adapters/mailer","file":"docs/adapters/mailer.md","note":""},{"text":"Writing a token signer","link":"/adapters/token-signer","file":"docs/adapters/token-signer.md","note":""},{"text":"Writing a password hasher","link":"/adapters/password-hasher","file":"docs/adapters/password-hasher.md","note":""},{"text":"Writing a throttle store","link":"/adapters/throttle-store","file":"docs/adapters/throttle-store.md","note":""}],"collapsed":false},{"text":"Security","items":[{"text":"Threat model and defenses","link":"/security","file":"docs/security.md","note":""},{"text":"Who owns an account","link":"/ownership","file":"docs/ownership.md","note":"what each proof of an address keeps and removes"},{"text":"Security policy","link":"/security-policy","file":"SECURITY.md","note":"reporting a vulnerability"}],"collapsed":false},{"text":"Operations","items":[{"text":"Production checklist","link":"/deployment","file":"docs/deployment.md","note":"several processes, outages, logs, backups"},{"text":"Serverless platforms","link":"/guides/serverless","file":"docs/guides/serverless.md","note":"Firebase, Vercel, AWS Lambda"},{"text":"Scaling","link":"/guides/scale","file":"docs/guides/scale.md","note":"one process, many, a million users; what breaks first"},{"text":"Runbook","link":"/guides/runbook","file":"docs/guides/runbook.md","note":"a leaked secret, an account taken over, a lost phone and other incidents"},{"text":"Failover","link":"/guides/failover","file":"docs/guides/failover.md","note":"what each database does, and what to set before"},{"text":"Backup and restore","link":"/guides/backups","file":"docs/guides/backups.md","note":"for each engine, and what to do before the service starts again"},{"text":"Startup warnings","link":"/warnings","file":"docs/warnings.md","note":"what each one means"},{"text":"Benchmarks","link":"/benchmarks","file":"docs/benchmarks.md","note":"against bare Fastify, hand-written routes and better-auth"}],"collapsed":false},{"text":"Project","items":[{"text":"Versioning","link":"/versioning","file":"docs/versioning.md","note":""},{"text":"Changelog","link":"/changelog","file":"CHANGELOG.md","note":""},{"text":"Contributing","link":"/contributing","file":"CONTRIBUTING.md","note":""},{"text":"The example server","link":"/example-server","file":"examples/server/README.md","note":""}],"collapsed":false}],"/api/":[{"text":"@fastify-accounts/client","link":"/api/@fastify-accounts/client/","collapsed":true,"items":[{"text":"api-keys","link":"/api/@fastify-accounts/client/api-keys/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"ApiKey","link":"/api/@fastify-accounts/client/api-keys/interfaces/ApiKey"},{"text":"ApiKeyList","link":"/api/@fastify-accounts/client/api-keys/interfaces/ApiKeyList"},{"text":"ApiKeyRequest","link":"/api/@fastify-accounts/client/api-keys/interfaces/ApiKeyRequest"},{"text":"ApiKeysClient","link":"/api/@fastify-accounts/client/api-keys/interfaces/ApiKeysClient"},{"text":"NewApiKey","link":"/api/@fastify-accounts/client/api-keys/interfaces/NewApiKey"},{"text":"Service","link":"/api/@fastify-accounts/client/api-keys/interfaces/Service"},{"text":"ServiceList","link":"/api/@fastify-accounts/client/api-keys/interfaces/ServiceList"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createApiKeysClient","link":"/api/@fastify-accounts/client/api-keys/functions/createApiKeysClient"},{"text":"cursorOf","link":"/api/@fastify-accounts/client/api-keys/functions/cursorOf"}]}]},{"text":"client","link":"/api/@fastify-accounts/client/client/","collapsed":true,"items":[{"text":"Classes","collapsed":true,"items":[{"text":"AccountsClientError","link":"/api/@fastify-accounts/client/client/classes/AccountsClientError"}]},{"text":"Interfaces","collapsed":true,"items":[{"text":"AccountsClient","link":"/api/@fastify-accounts/client/client/interfaces/AccountsClient"},{"text":"AppErrors","link":"/api/@fastify-accounts/client/client/interfaces/AppErrors"},{"text":"CallOptions","link":"/api/@fastify-accounts/client/client/interfaces/CallOptions"},{"text":"ClientOptions","link":"/api/@fastify-accounts/client/client/interfaces/ClientOptions"},{"text":"Credentials","link":"/api/@fastify-accounts/client/client/interfaces/Credentials"},{"text":"Detail","link":"/api/@fastify-accounts/client/client/interfaces/Detail"},{"text":"EmailChange","link":"/api/@fastify-accounts/client/client/interfaces/EmailChange"},{"text":"EmailLink","link":"/api/@fastify-accounts/client/client/interfaces/EmailLink"},{"text":"ErrorReasons","link":"/api/@fastify-accounts/client/client/interfaces/ErrorReasons"},{"text":"Factors","link":"/api/@fastify-accounts/client/client/interfaces/Factors"},{"text":"Failure","link":"/api/@fastify-accounts/client/client/interfaces/Failure"},{"text":"FieldError","link":"/api/@fastify-accounts/client/client/interfaces/FieldError"},{"text":"Link","link":"/api/@fastify-accounts/client/client/interfaces/Link"},{"text":"NewOwner","link":"/api/@fastify-accounts/client/client/interfaces/NewOwner"},{"text":"NewPassword","link":"/api/@fastify-accounts/client/client/interfaces/NewPassword"},{"text":"PasswordChange","link":"/api/@fastify-accounts/client/client/interfaces/PasswordChange"},{"text":"RecoveryCodes","link":"/api/@fastify-accounts/client/client/interfaces/RecoveryCodes"},{"text":"Removed","link":"/api/@fastify-accounts/client/client/interfaces/Removed"},{"text":"RemovedFactors","link":"/api/@fastify-accounts/client/client/interfaces/RemovedFactors"},{"text":"Session","link":"/api/@fastify-accounts/client/client/interfaces/Session"},{"text":"SessionList","link":"/api/@fastify-accounts/client/client/interfaces/SessionList"},{"text":"StoredTokens","link":"/api/@fastify-accounts/client/client/interfaces/StoredTokens"},{"text":"Success","link":"/api/@fastify-accounts/client/client/interfaces/Success"},{"text":"TokenMethods","link":"/api/@fastify-accounts/client/client/interfaces/TokenMethods"},{"text":"Tokens","link":"/api/@fastify-accounts/client/client/interfaces/Tokens"},{"text":"TokenStorage","link":"/api/@fastify-accounts/client/client/interfaces/TokenStorage"},{"text":"TotpApp","link":"/api/@fastify-accounts/client/client/interfaces/TotpApp"},{"text":"TotpSetup","link":"/api/@fastify-accounts/client/client/interfaces/TotpSetup"},{"text":"UserPage","link":"/api/@fastify-accounts/client/client/interfaces/UserPage"},{"text":"UserQuery","link":"/api/@fastify-accounts/client/client/interfaces/UserQuery"},{"text":"Verification","link":"/api/@fastify-accounts/client/client/interfaces/Verification"}]},{"text":"Type Aliases","collapsed":true,"items":[{"text":"AnyFields","link":"/api/@fastify-accounts/client/client/type-aliases/AnyFields"},{"text":"CallError","link":"/api/@fastify-accounts/client/client/type-aliases/CallError"},{"text":"Confirmation","link":"/api/@fastify-accounts/client/client/type-aliases/Confirmation"},{"text":"Creation","link":"/api/@fastify-accounts/client/client/type-aliases/Creation"},{"text":"DataOf","link":"/api/@fastify-accounts/client/client/type-aliases/DataOf"},{"text":"ErrorCode","link":"/api/@fastify-accounts/client/client/type-aliases/ErrorCode"},{"text":"ErrorReason","link":"/api/@fastify-accounts/client/client/type-aliases/ErrorReason"},{"text":"FieldErrorCode","link":"/api/@fastify-accounts/client/client/type-aliases/FieldErrorCode"},{"text":"ListedUser","link":"/api/@fastify-accounts/client/client/type-aliases/ListedUser"},{"text":"NewUser","link":"/api/@fastify-accounts/client/client/type-aliases/NewUser"},{"text":"OwnUser","link":"/api/@fastify-accounts/client/client/type-aliases/OwnUser"},{"text":"PasskeyErrorCode","link":"/api/@fastify-accounts/client/client/type-aliases/PasskeyErrorCode"},{"text":"ProfileChange","link":"/api/@fastify-accounts/client/client/type-aliases/ProfileChange"},{"text":"PublicUser","link":"/api/@fastify-accounts/client/client/type-aliases/PublicUser"},{"text":"Result","link":"/api/@fastify-accounts/client/client/type-aliases/Result"},{"text":"RouteIndex","link":"/api/@fastify-accounts/client/client/type-aliases/RouteIndex"},{"text":"SecondFactor","link":"/api/@fastify-accounts/client/client/type-aliases/SecondFactor"},{"text":"ServiceErrorCode","link":"/api/@fastify-accounts/client/client/type-aliases/ServiceErrorCode"},{"text":"UserChange","link":"/api/@fastify-accounts/client/client/type-aliases/UserChange"},{"text":"UserOrder","link":"/api/@fastify-accounts/client/client/type-aliases/UserOrder"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createAccountsClient","link":"/api/@fastify-accounts/client/client/functions/createAccountsClient"},{"text":"unwrap","link":"/api/@fastify-accounts/client/client/functions/unwrap"}]}]},{"text":"email-code","link":"/api/@fastify-accounts/client/email-code/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"EmailCodeClient","link":"/api/@fastify-accounts/client/email-code/interfaces/EmailCodeClient"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createEmailCodeClient","link":"/api/@fastify-accounts/client/email-code/functions/createEmailCodeClient"}]}]},{"text":"invitations","link":"/api/@fastify-accounts/client/invitations/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"Invitation","link":"/api/@fastify-accounts/client/invitations/interfaces/Invitation"},{"text":"InvitationList","link":"/api/@fastify-accounts/client/invitations/interfaces/InvitationList"},{"text":"InvitationRequest","link":"/api/@fastify-accounts/client/invitations/interfaces/InvitationRequest"},{"text":"InvitationsClient","link":"/api/@fastify-accounts/client/invitations/interfaces/InvitationsClient"},{"text":"ValidInvitation","link":"/api/@fastify-accounts/client/invitations/interfaces/ValidInvitation"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createInvitationsClient","link":"/api/@fastify-accounts/client/invitations/functions/createInvitationsClient"}]}]},{"text":"links","link":"/api/@fastify-accounts/client/links/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"LinksClient","link":"/api/@fastify-accounts/client/links/interfaces/LinksClient"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createLinksClient","link":"/api/@fastify-accounts/client/links/functions/createLinksClient"}]}]},{"text":"passkeys","link":"/api/@fastify-accounts/client/passkeys/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"Passkey","link":"/api/@fastify-accounts/client/passkeys/interfaces/Passkey"},{"text":"PasskeysClient","link":"/api/@fastify-accounts/client/passkeys/interfaces/PasskeysClient"}]},{"text":"Type Aliases","collapsed":true,"items":[{"text":"NewPasskeyUser","link":"/api/@fastify-accounts/client/passkeys/type-aliases/NewPasskeyUser"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createPasskeysClient","link":"/api/@fastify-accounts/client/passkeys/functions/createPasskeysClient"}]}]},{"text":"providers","link":"/api/@fastify-accounts/client/providers/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"AppCode","link":"/api/@fastify-accounts/client/providers/interfaces/AppCode"},{"text":"AppLoginRequest","link":"/api/@fastify-accounts/client/providers/interfaces/AppLoginRequest"},{"text":"Identity","link":"/api/@fastify-accounts/client/providers/interfaces/Identity"},{"text":"ProviderPage","link":"/api/@fastify-accounts/client/providers/interfaces/ProviderPage"},{"text":"ProvidersClient","link":"/api/@fastify-accounts/client/providers/interfaces/ProvidersClient"},{"text":"SdkLogin","link":"/api/@fastify-accounts/client/providers/interfaces/SdkLogin"}]},{"text":"Type Aliases","collapsed":true,"items":[{"text":"AppLogin","link":"/api/@fastify-accounts/client/providers/type-aliases/AppLogin"},{"text":"ProviderErrorCode","link":"/api/@fastify-accounts/client/providers/type-aliases/ProviderErrorCode"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createProvidersClient","link":"/api/@fastify-accounts/client/providers/functions/createProvidersClient"}]}]},{"text":"second-factor","link":"/api/@fastify-accounts/client/second-factor/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"SecondFactorClient","link":"/api/@fastify-accounts/client/second-factor/interfaces/SecondFactorClient"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createSecondFactorClient","link":"/api/@fastify-accounts/client/second-factor/functions/createSecondFactorClient"}]}]},{"text":"tokens","link":"/api/@fastify-accounts/client/tokens/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"OnlyTokens","link":"/api/@fastify-accounts/client/tokens/interfaces/OnlyTokens"},{"text":"TokensClient","link":"/api/@fastify-accounts/client/tokens/interfaces/TokensClient"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createTokensClient","link":"/api/@fastify-accounts/client/tokens/functions/createTokensClient"}]}]},{"text":"users","link":"/api/@fastify-accounts/client/users/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"UsersClient","link":"/api/@fastify-accounts/client/users/interfaces/UsersClient"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createUsersClient","link":"/api/@fastify-accounts/client/users/functions/createUsersClient"}]}]}]},{"text":"@fastify-accounts/hashes","link":"/api/@fastify-accounts/hashes/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"Argon2Cost","link":"/api/@fastify-accounts/hashes/interfaces/Argon2Cost"},{"text":"BcryptOptions","link":"/api/@fastify-accounts/hashes/interfaces/BcryptOptions"},{"text":"FirebaseProject","link":"/api/@fastify-accounts/hashes/interfaces/FirebaseProject"},{"text":"ForeignHashes","link":"/api/@fastify-accounts/hashes/interfaces/ForeignHashes"},{"text":"OpenedHash","link":"/api/@fastify-accounts/hashes/interfaces/OpenedHash"},{"text":"Pbkdf2Cost","link":"/api/@fastify-accounts/hashes/interfaces/Pbkdf2Cost"},{"text":"ScryptCost","link":"/api/@fastify-accounts/hashes/interfaces/ScryptCost"}]},{"text":"Functions","collapsed":true,"items":[{"text":"argon2","link":"/api/@fastify-accounts/hashes/functions/argon2"},{"text":"bcrypt","link":"/api/@fastify-accounts/hashes/functions/bcrypt"},{"text":"betterAuth","link":"/api/@fastify-accounts/hashes/functions/betterAuth"},{"text":"createMigratingHasher","link":"/api/@fastify-accounts/hashes/functions/createMigratingHasher"},{"text":"djangoArgon2","link":"/api/@fastify-accounts/hashes/functions/djangoArgon2"},{"text":"djangoBcrypt","link":"/api/@fastify-accounts/hashes/functions/djangoBcrypt"},{"text":"djangoPbkdf2","link":"/api/@fastify-accounts/hashes/functions/djangoPbkdf2"},{"text":"djangoScrypt","link":"/api/@fastify-accounts/hashes/functions/djangoScrypt"},{"text":"firebase","link":"/api/@fastify-accounts/hashes/functions/firebase"},{"text":"lucia","link":"/api/@fastify-accounts/hashes/functions/lucia"},{"text":"pbkdf2","link":"/api/@fastify-accounts/hashes/functions/pbkdf2"}]}]},{"text":"@fastify-accounts/kysely","link":"/api/@fastify-accounts/kysely/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"ColumnNames","link":"/api/@fastify-accounts/kysely/interfaces/ColumnNames"},{"text":"Database","link":"/api/@fastify-accounts/kysely/interfaces/Database"},{"text":"FilledKeys","link":"/api/@fastify-accounts/kysely/interfaces/FilledKeys"},{"text":"InvitationStoreOptions","link":"/api/@fastify-accounts/kysely/interfaces/InvitationStoreOptions"},{"text":"LiveColumn","link":"/api/@fastify-accounts/kysely/interfaces/LiveColumn"},{"text":"LiveTable","link":"/api/@fastify-accounts/kysely/interfaces/LiveTable"},{"text":"MysqlOptions","link":"/api/@fastify-accounts/kysely/interfaces/MysqlOptions"},{"text":"Naming","link":"/api/@fastify-accounts/kysely/interfaces/Naming"},{"text":"NodeSqlite","link":"/api/@fastify-accounts/kysely/interfaces/NodeSqlite"},{"text":"NodeStatement","link":"/api/@fastify-accounts/kysely/interfaces/NodeStatement"},{"text":"OpenMysql","link":"/api/@fastify-accounts/kysely/interfaces/OpenMysql"},{"text":"OpenMysqlConnection","link":"/api/@fastify-accounts/kysely/interfaces/OpenMysqlConnection"},{"text":"OpenPostgres","link":"/api/@fastify-accounts/kysely/interfaces/OpenPostgres"},{"text":"OpenPostgresClient","link":"/api/@fastify-accounts/kysely/interfaces/OpenPostgresClient"},{"text":"OpenSqlite","link":"/api/@fastify-accounts/kysely/interfaces/OpenSqlite"},{"text":"PostgresOptions","link":"/api/@fastify-accounts/kysely/interfaces/PostgresOptions"},{"text":"SessionStoreOptions","link":"/api/@fastify-accounts/kysely/interfaces/SessionStoreOptions"},{"text":"SqliteOptions","link":"/api/@fastify-accounts/kysely/interfaces/SqliteOptions"},{"text":"SqliteStatement","link":"/api/@fastify-accounts/kysely/interfaces/SqliteStatement"},{"text":"StoreOptions","link":"/api/@fastify-accounts/kysely/interfaces/StoreOptions"},{"text":"TableNames","link":"/api/@fastify-accounts/kysely/interfaces/TableNames"},{"text":"UsersSurvey","link":"/api/@fastify-accounts/kysely/interfaces/UsersSurvey"},{"text":"UserStoreOptions","link":"/api/@fastify-accounts/kysely/interfaces/UserStoreOptions"}]},{"text":"Type Aliases","collapsed":true,"items":[{"text":"AlongsideTransaction","link":"/api/@fastify-accounts/kysely/type-aliases/AlongsideTransaction"},{"text":"DriverName","link":"/api/@fastify-accounts/kysely/type-aliases/DriverName"},{"text":"Engine","link":"/api/@fastify-accounts/kysely/type-aliases/Engine"}]},{"text":"Variables","collapsed":true,"items":[{"text":"formerColumns","link":"/api/@fastify-accounts/kysely/variables/formerColumns"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createKyselyInvitationStore","link":"/api/@fastify-accounts/kysely/functions/createKyselyInvitationStore"},{"text":"createKyselySessionStore","link":"/api/@fastify-accounts/kysely/functions/createKyselySessionStore"},{"text":"createKyselyUserStore","link":"/api/@fastify-accounts/kysely/functions/createKyselyUserStore"},{"text":"describeTables","link":"/api/@fastify-accounts/kysely/functions/describeTables"},{"text":"expectsAlongside","link":"/api/@fastify-accounts/kysely/functions/expectsAlongside"},{"text":"fillKeys","link":"/api/@fastify-accounts/kysely/functions/fillKeys"},{"text":"migrate","link":"/api/@fastify-accounts/kysely/functions/migrate"},{"text":"migrationSql","link":"/api/@fastify-accounts/kysely/functions/migrationSql"},{"text":"mysqlDialect","link":"/api/@fastify-accounts/kysely/functions/mysqlDialect"},{"text":"openDatabase","link":"/api/@fastify-accounts/kysely/functions/openDatabase"},{"text":"openMysql","link":"/api/@fastify-accounts/kysely/functions/openMysql"},{"text":"openPostgres","link":"/api/@fastify-accounts/kysely/functions/openPostgres"},{"text":"openSqlite","link":"/api/@fastify-accounts/kysely/functions/openSqlite"},{"text":"postgresDialect","link":"/api/@fastify-accounts/kysely/functions/postgresDialect"},{"text":"readTable","link":"/api/@fastify-accounts/kysely/functions/readTable"},{"text":"sqliteDialect","link":"/api/@fastify-accounts/kysely/functions/sqliteDialect"},{"text":"surveyUsers","link":"/api/@fastify-accounts/kysely/functions/surveyUsers"}]}]},{"text":"@fastify-accounts/nodemailer","link":"/api/@fastify-accounts/nodemailer/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"NodemailerOptions","link":"/api/@fastify-accounts/nodemailer/interfaces/NodemailerOptions"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createNodemailerMailer","link":"/api/@fastify-accounts/nodemailer/functions/createNodemailerMailer"}]}]},{"text":"@fastify-accounts/passkeys","link":"/api/@fastify-accounts/passkeys/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"PasskeysOptions","link":"/api/@fastify-accounts/passkeys/interfaces/PasskeysOptions"}]},{"text":"Functions","collapsed":true,"items":[{"text":"passkeys","link":"/api/@fastify-accounts/passkeys/functions/passkeys"}]}]},{"text":"@fastify-accounts/providers","link":"/api/@fastify-accounts/providers/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"AppleOptions","link":"/api/@fastify-accounts/providers/interfaces/AppleOptions"},{"text":"MicrosoftOptions","link":"/api/@fastify-accounts/providers/interfaces/MicrosoftOptions"},{"text":"PresetOptions","link":"/api/@fastify-accounts/providers/interfaces/PresetOptions"},{"text":"Profile","link":"/api/@fastify-accounts/providers/interfaces/Profile"},{"text":"Provider","link":"/api/@fastify-accounts/providers/interfaces/Provider"},{"text":"ProviderResponse","link":"/api/@fastify-accounts/providers/interfaces/ProviderResponse"},{"text":"ProvidersFeature","link":"/api/@fastify-accounts/providers/interfaces/ProvidersFeature"},{"text":"ProvidersOptions","link":"/api/@fastify-accounts/providers/interfaces/ProvidersOptions"},{"text":"ProviderTokens","link":"/api/@fastify-accounts/providers/interfaces/ProviderTokens"},{"text":"SecretPresetOptions","link":"/api/@fastify-accounts/providers/interfaces/SecretPresetOptions"}]},{"text":"Type Aliases","collapsed":true,"items":[{"text":"Claims","link":"/api/@fastify-accounts/providers/type-aliases/Claims"}]},{"text":"Functions","collapsed":true,"items":[{"text":"apple","link":"/api/@fastify-accounts/providers/functions/apple"},{"text":"github","link":"/api/@fastify-accounts/providers/functions/github"},{"text":"google","link":"/api/@fastify-accounts/providers/functions/google"},{"text":"linkedin","link":"/api/@fastify-accounts/providers/functions/linkedin"},{"text":"microsoft","link":"/api/@fastify-accounts/providers/functions/microsoft"},{"text":"providers","link":"/api/@fastify-accounts/providers/functions/providers"}]}]},{"text":"@fastify-accounts/redis","link":"/api/@fastify-accounts/redis/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"IoredisClient","link":"/api/@fastify-accounts/redis/interfaces/IoredisClient"},{"text":"NodeRedisClient","link":"/api/@fastify-accounts/redis/interfaces/NodeRedisClient"},{"text":"RedisStoreOptions","link":"/api/@fastify-accounts/redis/interfaces/RedisStoreOptions"}]},{"text":"Type Aliases","collapsed":true,"items":[{"text":"RedisClient","link":"/api/@fastify-accounts/redis/type-aliases/RedisClient"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createRedisSessionStore","link":"/api/@fastify-accounts/redis/functions/createRedisSessionStore"},{"text":"createRedisThrottleStore","link":"/api/@fastify-accounts/redis/functions/createRedisThrottleStore"}]}]},{"text":"@fastify-accounts/table-stores","link":"/api/@fastify-accounts/table-stores/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"InvitationPage","link":"/api/@fastify-accounts/table-stores/interfaces/InvitationPage"},{"text":"InvitationTable","link":"/api/@fastify-accounts/table-stores/interfaces/InvitationTable"},{"text":"OutboxRow","link":"/api/@fastify-accounts/table-stores/interfaces/OutboxRow"},{"text":"OutboxTable","link":"/api/@fastify-accounts/table-stores/interfaces/OutboxTable"},{"text":"SessionTable","link":"/api/@fastify-accounts/table-stores/interfaces/SessionTable"},{"text":"Transactions","link":"/api/@fastify-accounts/table-stores/interfaces/Transactions"},{"text":"UserTable","link":"/api/@fastify-accounts/table-stores/interfaces/UserTable"}]},{"text":"Type Aliases","collapsed":true,"items":[{"text":"ExpectedInvitation","link":"/api/@fastify-accounts/table-stores/type-aliases/ExpectedInvitation"},{"text":"ExpectedMessage","link":"/api/@fastify-accounts/table-stores/type-aliases/ExpectedMessage"},{"text":"ExpectedSession","link":"/api/@fastify-accounts/table-stores/type-aliases/ExpectedSession"},{"text":"InvitationRow","link":"/api/@fastify-accounts/table-stores/type-aliases/InvitationRow"},{"text":"ReadRow","link":"/api/@fastify-accounts/table-stores/type-aliases/ReadRow"},{"text":"RowCount","link":"/api/@fastify-accounts/table-stores/type-aliases/RowCount"},{"text":"SessionRow","link":"/api/@fastify-accounts/table-stores/type-aliases/SessionRow"},{"text":"UserKey","link":"/api/@fastify-accounts/table-stores/type-aliases/UserKey"},{"text":"UserRow","link":"/api/@fastify-accounts/table-stores/type-aliases/UserRow"},{"text":"VisitorRow","link":"/api/@fastify-accounts/table-stores/type-aliases/VisitorRow"}]},{"text":"Functions","collapsed":true,"items":[{"text":"createTableInvitationStore","link":"/api/@fastify-accounts/table-stores/functions/createTableInvitationStore"},{"text":"createTableSessionStore","link":"/api/@fastify-accounts/table-stores/functions/createTableSessionStore"},{"text":"createTableUserStore","link":"/api/@fastify-accounts/table-stores/functions/createTableUserStore"},{"text":"describeTables","link":"/api/@fastify-accounts/table-stores/functions/describeTables"}]}]},{"text":"@fastify-accounts/testing","link":"/api/@fastify-accounts/testing/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"CaseReport","link":"/api/@fastify-accounts/testing/interfaces/CaseReport"},{"text":"CheckedAccount","link":"/api/@fastify-accounts/testing/interfaces/CheckedAccount"},{"text":"ConformanceCase","link":"/api/@fastify-accounts/testing/interfaces/ConformanceCase"},{"text":"DeliveredMail","link":"/api/@fastify-accounts/testing/interfaces/DeliveredMail"},{"text":"Enquirer","link":"/api/@fastify-accounts/testing/interfaces/Enquirer"},{"text":"HeldClock","link":"/api/@fastify-accounts/testing/interfaces/HeldClock"},{"text":"InjectableApp","link":"/api/@fastify-accounts/testing/interfaces/InjectableApp"},{"text":"InjectedResponse","link":"/api/@fastify-accounts/testing/interfaces/InjectedResponse"},{"text":"Mailbox","link":"/api/@fastify-accounts/testing/interfaces/Mailbox"},{"text":"MailerHarness","link":"/api/@fastify-accounts/testing/interfaces/MailerHarness"},{"text":"MountedAccounts","link":"/api/@fastify-accounts/testing/interfaces/MountedAccounts"},{"text":"NoEnumerationOptions","link":"/api/@fastify-accounts/testing/interfaces/NoEnumerationOptions"},{"text":"NoEnumerationReport","link":"/api/@fastify-accounts/testing/interfaces/NoEnumerationReport"},{"text":"OutageOptions","link":"/api/@fastify-accounts/testing/interfaces/OutageOptions"},{"text":"OutboxCaseOptions","link":"/api/@fastify-accounts/testing/interfaces/OutboxCaseOptions"},{"text":"PasswordHasherCaseOptions","link":"/api/@fastify-accounts/testing/interfaces/PasswordHasherCaseOptions"},{"text":"ReceivedMail","link":"/api/@fastify-accounts/testing/interfaces/ReceivedMail"},{"text":"SecondRequest","link":"/api/@fastify-accounts/testing/interfaces/SecondRequest"},{"text":"TestLogin","link":"/api/@fastify-accounts/testing/interfaces/TestLogin"},{"text":"TestOptions","link":"/api/@fastify-accounts/testing/interfaces/TestOptions"},{"text":"TestUser","link":"/api/@fastify-accounts/testing/interfaces/TestUser"},{"text":"TokenSignerCaseOptions","link":"/api/@fastify-accounts/testing/interfaces/TokenSignerCaseOptions"}]},{"text":"Type Aliases","collapsed":true,"items":[{"text":"AnyApp","link":"/api/@fastify-accounts/testing/type-aliases/AnyApp"},{"text":"CountingHasher","link":"/api/@fastify-accounts/testing/type-aliases/CountingHasher"},{"text":"EnquirersBrowser","link":"/api/@fastify-accounts/testing/type-aliases/EnquirersBrowser"},{"text":"HeldMailer","link":"/api/@fastify-accounts/testing/type-aliases/HeldMailer"},{"text":"LoginHeaders","link":"/api/@fastify-accounts/testing/type-aliases/LoginHeaders"},{"text":"TokenHeaders","link":"/api/@fastify-accounts/testing/type-aliases/TokenHeaders"}]},{"text":"Functions","collapsed":true,"items":[{"text":"assertNoEnumeration","link":"/api/@fastify-accounts/testing/functions/assertNoEnumeration"},{"text":"countHashes","link":"/api/@fastify-accounts/testing/functions/countHashes"},{"text":"createCheapHasher","link":"/api/@fastify-accounts/testing/functions/createCheapHasher"},{"text":"createMailbox","link":"/api/@fastify-accounts/testing/functions/createMailbox"},{"text":"createTestOptions","link":"/api/@fastify-accounts/testing/functions/createTestOptions"},{"text":"holdClock","link":"/api/@fastify-accounts/testing/functions/holdClock"},{"text":"holdMails","link":"/api/@fastify-accounts/testing/functions/holdMails"},{"text":"invitationStoreCases","link":"/api/@fastify-accounts/testing/functions/invitationStoreCases"},{"text":"logInAs","link":"/api/@fastify-accounts/testing/functions/logInAs"},{"text":"mailerCases","link":"/api/@fastify-accounts/testing/functions/mailerCases"},{"text":"mountAccounts","link":"/api/@fastify-accounts/testing/functions/mountAccounts"},{"text":"newInvitation","link":"/api/@fastify-accounts/testing/functions/newInvitation"},{"text":"newPendingMail","link":"/api/@fastify-accounts/testing/functions/newPendingMail"},{"text":"newSession","link":"/api/@fastify-accounts/testing/functions/newSession"},{"text":"newUser","link":"/api/@fastify-accounts/testing/functions/newUser"},{"text":"outboxCases","link":"/api/@fastify-accounts/testing/functions/outboxCases"},{"text":"passwordHasherCases","link":"/api/@fastify-accounts/testing/functions/passwordHasherCases"},{"text":"runCases","link":"/api/@fastify-accounts/testing/functions/runCases"},{"text":"sessionStoreCases","link":"/api/@fastify-accounts/testing/functions/sessionStoreCases"},{"text":"throttleStoreCases","link":"/api/@fastify-accounts/testing/functions/throttleStoreCases"},{"text":"tokenSignerCases","link":"/api/@fastify-accounts/testing/functions/tokenSignerCases"},{"text":"userStoreCases","link":"/api/@fastify-accounts/testing/functions/userStoreCases"}]}]},{"text":"fastify-accounts","link":"/api/fastify-accounts/","collapsed":true,"items":[{"text":"features","link":"/api/fastify-accounts/features/","collapsed":true,"items":[{"text":"Interfaces","collapsed":true,"items":[{"text":"Acceptance","link":"/api/fastify-accounts/features/interfaces/Acceptance"},{"text":"Client","link":"/api/fastify-accounts/features/interfaces/Client"},{"text":"Confirmation","link":"/api/fastify-accounts/features/interfaces/Confirmation"},{"text":"DetailJson","link":"/api/fastify-accounts/features/interfaces/DetailJson"},{"text":"Factor","link":"/api/fastify-accounts/features/interfaces/Factor"},{"text":"FactorCore","link":"/api/fastify-accounts/features/interfaces/FactorCore"},{"text":"Feature","link":"/api/fastify-accounts/features/interfaces/Feature"},{"text":"FeatureCore","link":"/api/fastify-accounts/features/interfaces/FeatureCore"},{"text":"FeatureHost","link":"/api/fastify-accounts/features/interfaces/FeatureHost"},{"text":"FeatureRoutes","link":"/api/fastify-accounts/features/interfaces/FeatureRoutes"},{"text":"Granted","link":"/api/fastify-accounts/features/interfaces/Granted"},{"text":"HostIdentities","link":"/api/fastify-accounts/features/interfaces/HostIdentities"},{"text":"HostOperation","link":"/api/fastify-accounts/features/interfaces/HostOperation"},{"text":"Input","link":"/api/fastify-accounts/features/interfaces/Input"},{"text":"LinkJson","link":"/api/fastify-accounts/features/interfaces/LinkJson"},{"text":"LinkParts","link":"/api/fastify-accounts/features/interfaces/LinkParts"},{"text":"MaybeTokens","link":"/api/fastify-accounts/features/interfaces/MaybeTokens"},{"text":"MountCore","link":"/api/fastify-accounts/features/interfaces/MountCore"},{"text":"NamedCookie","link":"/api/fastify-accounts/features/interfaces/NamedCookie"},{"text":"OpenedLink","link":"/api/fastify-accounts/features/interfaces/OpenedLink"},{"text":"OperationFacts","link":"/api/fastify-accounts/features/interfaces/OperationFacts"},{"text":"OtherBeginning","link":"/api/fastify-accounts/features/interfaces/OtherBeginning"},{"text":"Outage","link":"/api/fastify-accounts/features/interfaces/Outage"},{"text":"PageTheme","link":"/api/fastify-accounts/features/interfaces/PageTheme"},{"text":"Performed","link":"/api/fastify-accounts/features/interfaces/Performed"},{"text":"Proof","link":"/api/fastify-accounts/features/interfaces/Proof"},{"text":"ProvenAddress","link":"/api/fastify-accounts/features/interfaces/ProvenAddress"},{"text":"Result","link":"/api/fastify-accounts/features/interfaces/Result"},{"text":"Route","link":"/api/fastify-accounts/features/interfaces/Route"},{"text":"SignedUp","link":"/api/fastify-accounts/features/interfaces/SignedUp"},{"text":"Who","link":"/api/fastify-accounts/features/interfaces/Who"}]},{"text":"Type Aliases","collapsed":true,"items":[{"text":"Handle","link":"/api/fastify-accounts/features/type-aliases/Handle"},{"text":"ImportReader","link":"/api/fastify-accounts/features/type-aliases/ImportReader"},{"text":"MakePage","link":"/api/fastify-accounts/features/type-aliases/MakePage"},{"text":"NewUserJson","link":"/api/fastify-accounts/features/type-aliases/NewUserJson"},{"text":"OwnerChanges","link":"/api/fastify-accounts/features/type-aliases/OwnerChanges"},{"text":"OwnershipEvent","link":"/api/fastify-accounts/features/type-aliases/OwnershipEvent"},{"text":"OwnUserJson","link":"/api/fastify-accounts/features/type-aliases/OwnUserJson"},{"text":"PasswordlessInput","link":"/api/fastify-accounts/features/type-aliases/PasswordlessInput"},{"text":"SpendOnce","link":"/api/fastify-accounts/features/type-aliases/SpendOnce"},{"text":"Translated","link":"/api/fastify-accounts/features/type-aliases/Translated"}]},{"text":"Variables","collapsed":true,"items":[{"text":"addressAlone","link":"/api/fastify-accounts/features/variables/addressAlone"},{"text":"checkbox","link":"/api/fastify-accounts/features/variables/checkbox"},{"text":"detailReply","link":"/api/fastify-accounts/features/variables/detailReply"},{"text":"loginFollows","link":"/api/fastify-accounts/features/variables/loginFollows"},{"text":"loginLimits","link":"/api/fastify-accounts/features/variables/loginLimits"},{"text":"noPassword","link":"/api/fastify-accounts/features/variables/noPassword"},{"text":"noReply","link":"/api/fastify-accounts/features/variables/noReply"},{"text":"nothingGranted","link":"/api/fastify-accounts/features/variables/nothingGranted"},{"text":"removedViewReply","link":"/api/fastify-accounts/features/variables/removedViewReply"}]},{"text":"Functions","collapsed":true,"items":[{"text":"acceptAlong","link":"/api/fastify-accounts/features/functions/acceptAlong"},{"text":"accountBody","link":"/api/fastify-accounts/features/functions/accountBody"},{"text":"accountInput","link":"/api/fastify-accounts/features/functions/accountInput"},{"text":"accountUser","link":"/api/fastify-accounts/features/functions/accountUser"},{"text":"addedAt","link":"/api/fastify-accounts/features/functions/addedAt"},{"text":"addressKey","link":"/api/fastify-accounts/features/functions/addressKey"},{"text":"admitSignUp","link":"/api/fastify-accounts/features/functions/admitSignUp"},{"text":"askOwner","link":"/api/fastify-accounts/features/functions/askOwner"},{"text":"askSignUp","link":"/api/fastify-accounts/features/functions/askSignUp"},{"text":"attributed","link":"/api/fastify-accounts/features/functions/attributed"},{"text":"buttonPage","link":"/api/fastify-accounts/features/functions/buttonPage"},{"text":"can","link":"/api/fastify-accounts/features/functions/can"},{"text":"changesHands","link":"/api/fastify-accounts/features/functions/changesHands"},{"text":"checkInput","link":"/api/fastify-accounts/features/functions/checkInput"},{"text":"checkMayCreate","link":"/api/fastify-accounts/features/functions/checkMayCreate"},{"text":"checkUsername","link":"/api/fastify-accounts/features/functions/checkUsername"},{"text":"checkUsernameFree","link":"/api/fastify-accounts/features/functions/checkUsernameFree"},{"text":"completing","link":"/api/fastify-accounts/features/functions/completing"},{"text":"confirming","link":"/api/fastify-accounts/features/functions/confirming"},{"text":"created","link":"/api/fastify-accounts/features/functions/created"},{"text":"createDeadline","link":"/api/fastify-accounts/features/functions/createDeadline"},{"text":"createdReplies","link":"/api/fastify-accounts/features/functions/createdReplies"},{"text":"createOrPretend","link":"/api/fastify-accounts/features/functions/createOrPretend"},{"text":"createUser","link":"/api/fastify-accounts/features/functions/createUser"},{"text":"deriveKeys","link":"/api/fastify-accounts/features/functions/deriveKeys"},{"text":"deviceBudgetKey","link":"/api/fastify-accounts/features/functions/deviceBudgetKey"},{"text":"endPage","link":"/api/fastify-accounts/features/functions/endPage"},{"text":"factorHost","link":"/api/fastify-accounts/features/functions/factorHost"},{"text":"fieldError","link":"/api/fastify-accounts/features/functions/fieldError"},{"text":"fieldsSizeFaults","link":"/api/fastify-accounts/features/functions/fieldsSizeFaults"},{"text":"fieldsWithin","link":"/api/fastify-accounts/features/functions/fieldsWithin"},{"text":"findAcceptances","link":"/api/fastify-accounts/features/functions/findAcceptances"},{"text":"finishLogin","link":"/api/fastify-accounts/features/functions/finishLogin"},{"text":"formPage","link":"/api/fastify-accounts/features/functions/formPage"},{"text":"freshUser","link":"/api/fastify-accounts/features/functions/freshUser"},{"text":"giftOf","link":"/api/fastify-accounts/features/functions/giftOf"},{"text":"guardCallback","link":"/api/fastify-accounts/features/functions/guardCallback"},{"text":"hasMakersPassword","link":"/api/fastify-accounts/features/functions/hasMakersPassword"},{"text":"identityHost","link":"/api/fastify-accounts/features/functions/identityHost"},{"text":"invalidInput","link":"/api/fastify-accounts/features/functions/invalidInput"},{"text":"isChecked","link":"/api/fastify-accounts/features/functions/isChecked"},{"text":"isDuplicate","link":"/api/fastify-accounts/features/functions/isDuplicate"},{"text":"isHeld","link":"/api/fastify-accounts/features/functions/isHeld"},{"text":"isHiddenFromLogins","link":"/api/fastify-accounts/features/functions/isHiddenFromLogins"},{"text":"isMakersBrowser","link":"/api/fastify-accounts/features/functions/isMakersBrowser"},{"text":"isPrivileged","link":"/api/fastify-accounts/features/functions/isPrivileged"},{"text":"isReplacementName","link":"/api/fastify-accounts/features/functions/isReplacementName"},{"text":"isUsed","link":"/api/fastify-accounts/features/functions/isUsed"},{"text":"isWebHost","link":"/api/fastify-accounts/features/functions/isWebHost"},{"text":"isWebOrigin","link":"/api/fastify-accounts/features/functions/isWebOrigin"},{"text":"knownDevice","link":"/api/fastify-accounts/features/functions/knownDevice"},{"text":"linkRoutes","link":"/api/fastify-accounts/features/functions/linkRoutes"},{"text":"mailedName","link":"/api/fastify-accounts/features/functions/mailedName"},{"text":"mayAdd","link":"/api/fastify-accounts/features/functions/mayAdd"},{"text":"named","link":"/api/fastify-accounts/features/functions/named"},{"text":"newUser","link":"/api/fastify-accounts/features/functions/newUser"},{"text":"openSealed","link":"/api/fastify-accounts/features/functions/openSealed"},{"text":"ownerRefusal","link":"/api/fastify-accounts/features/functions/ownerRefusal"},{"text":"ownershipChanges","link":"/api/fastify-accounts/features/functions/ownershipChanges"},{"text":"ownershipOf","link":"/api/fastify-accounts/features/functions/ownershipOf"},{"text":"ownRecord","link":"/api/fastify-accounts/features/functions/ownRecord"},{"text":"ownUser","link":"/api/fastify-accounts/features/functions/ownUser"},{"text":"ownUserReply","link":"/api/fastify-accounts/features/functions/ownUserReply"},{"text":"page","link":"/api/fastify-accounts/features/functions/page"},{"text":"passwordField","link":"/api/fastify-accounts/features/functions/passwordField"},{"text":"replacementName","link":"/api/fastify-accounts/features/functions/replacementName"},{"text":"replaceUser","link":"/api/fastify-accounts/features/functions/replaceUser"},{"text":"route","link":"/api/fastify-accounts/features/functions/route"},{"text":"seal","link":"/api/fastify-accounts/features/functions/seal"},{"text":"shownName","link":"/api/fastify-accounts/features/functions/shownName"},{"text":"shownUrl","link":"/api/fastify-accounts/features/functions/shownUrl"},{"text":"showRemoved","link":"/api/fastify-accounts/features/functions/showRemoved"},{"text":"staffResetRoutes","link":"/api/fastify-accounts/features/functions/staffResetRoutes"},{"text":"storeUser","link":"/api/fastify-accounts/features/functions/storeUser"},{"text":"tryPassword","link":"/api/fastify-accounts/features/functions/tryPassword"},{"text":"usernameForManagers","link":"/api/fastify-accounts/features/functions/usernameForManagers"},{"text":"waitingLogin","link":"/api/fastify-accounts/features/functions/waitingLogin"},{"text":"webUrl","link":"/api/fastify-accounts/features/functions/webUrl"},{"text":"withChanges","link":"/api/fastify-accounts/features/functions/withChanges"},{"text":"withInvitations","link":"/api/fastify-accounts/features/functions/withInvitations"},{"text":"withoutFactor","link":"/api/fastify-accounts/features/functions/withoutFactor"},{"text":"withoutMisses","link":"/api/fastify-accounts/features/functions/withoutMisses"},{"text":"withoutValues","link":"/api/fastify-accounts/features/functions/withoutValues"},{"text":"withSignUpHint","link":"/api/fastify-accounts/features/functions/withSignUpHint"},{"text":"withUsername","link":"/api/fastify-accounts/features/functions/withUsername"}]}]},{"text":"plugin","link":"/api/fastify-accounts/plugin/","collapsed":true,"items":[{"text":"Classes","collapsed":true,"items":[{"text":"AccountsError","link":"/api/fastify-accounts/plugin/classes/AccountsError"},{"text":"AlongsideError","link":"/api/fastify-accounts/plugin/classes/AlongsideError"},{"text":"ContendedError","link":"/api/fastify-accounts/plugin/classes/ContendedError"},{"text":"DuplicateError","link":"/api/fastify-accounts/plugin/classes/DuplicateError"},{"text":"InvalidArgumentError","link":"/api/fastify-accounts/plugin/classes/InvalidArgumentError"},{"text":"RefusedError","link":"/api/fastify-accounts/plugin/classes/RefusedError"},{"text":"RuleError","link":"/api/fastify-accounts/plugin/classes/RuleError"},{"text":"UnavailableError","link":"/api/fastify-accounts/plugin/classes/UnavailableError"}]},{"text":"Interfaces","collapsed":true,"items":[{"text":"AccountLimits","link":"/api/fastify-accounts/plugin/interfaces/AccountLimits"},{"text":"Accounts","link":"/api/fastify-accounts/plugin/interfaces/Accounts"},{"text":"AccountsEvents","link":"/api/fastify-accounts/plugin/interfaces/AccountsEvents"},{"text":"AccountsFeature","link":"/api/fastify-accounts/plugin/interfaces/AccountsFeature"},{"text":"AccountsHealth","link":"/api/fastify-accounts/plugin/interfaces/AccountsHealth"},{"text":"AccountsOptions","link":"/api/fastify-accounts/plugin/interfaces/AccountsOptions"},{"text":"AccountUser","link":"/api/fastify-accounts/plugin/interfaces/AccountUser"},{"text":"Alongside","link":"/api/fastify-accounts/plugin/interfaces/Alongside"},{"text":"AlongsideCalls","link":"/api/fastify-accounts/plugin/interfaces/AlongsideCalls"},{"text":"ApiKeysOptions","link":"/api/fastify-accounts/plugin/interfaces/ApiKeysOptions"},{"text":"AuditEvent","link":"/api/fastify-accounts/plugin/interfaces/AuditEvent"},{"text":"AuthOptions","link":"/api/fastify-accounts/plugin/interfaces/AuthOptions"},{"text":"Authorize","link":"/api/fastify-accounts/plugin/interfaces/Authorize"},{"text":"BeforeRules","link":"/api/fastify-accounts/plugin/interfaces/BeforeRules"},{"text":"ClientFacts","link":"/api/fastify-accounts/plugin/interfaces/ClientFacts"},{"text":"ClockHealth","link":"/api/fastify-accounts/plugin/interfaces/ClockHealth"},{"text":"ColumnDescription","link":"/api/fastify-accounts/plugin/interfaces/ColumnDescription"},{"text":"CreatedApiKey","link":"/api/fastify-accounts/plugin/interfaces/CreatedApiKey"},{"text":"CreateUserInput","link":"/api/fastify-accounts/plugin/interfaces/CreateUserInput"},{"text":"Credential","link":"/api/fastify-accounts/plugin/interfaces/Credential"},{"text":"DeadMessage","link":"/api/fastify-accounts/plugin/interfaces/DeadMessage"},{"text":"DeliveredTokens","link":"/api/fastify-accounts/plugin/interfaces/DeliveredTokens"},{"text":"EmailAddress","link":"/api/fastify-accounts/plugin/interfaces/EmailAddress"},{"text":"EmailChange","link":"/api/fastify-accounts/plugin/interfaces/EmailChange"},{"text":"EmailContent","link":"/api/fastify-accounts/plugin/interfaces/EmailContent"},{"text":"EmailFacts","link":"/api/fastify-accounts/plugin/interfaces/EmailFacts"},{"text":"EmailParts","link":"/api/fastify-accounts/plugin/interfaces/EmailParts"},{"text":"ErrorBody","link":"/api/fastify-accounts/plugin/interfaces/ErrorBody"},{"text":"FactorsReset","link":"/api/fastify-accounts/plugin/interfaces/FactorsReset"},{"text":"FeatureActions","link":"/api/fastify-accounts/plugin/interfaces/FeatureActions"},{"text":"FeatureCalls","link":"/api/fastify-accounts/plugin/interfaces/FeatureCalls"},{"text":"FeatureErrors","link":"/api/fastify-accounts/plugin/interfaces/FeatureErrors"},{"text":"FeatureLinks","link":"/api/fastify-accounts/plugin/interfaces/FeatureLinks"},{"text":"FeatureMails","link":"/api/fastify-accounts/plugin/interfaces/FeatureMails"},{"text":"FeatureOperations","link":"/api/fastify-accounts/plugin/interfaces/FeatureOperations"},{"text":"FeatureTexts","link":"/api/fastify-accounts/plugin/interfaces/FeatureTexts"},{"text":"FieldError","link":"/api/fastify-accounts/plugin/interfaces/FieldError"},{"text":"FieldsSchema","link":"/api/fastify-accounts/plugin/interfaces/FieldsSchema"},{"text":"HasherHealth","link":"/api/fastify-accounts/plugin/interfaces/HasherHealth"},{"text":"HostApiKey","link":"/api/fastify-accounts/plugin/interfaces/HostApiKey"},{"text":"HostApiKeyInput","link":"/api/fastify-accounts/plugin/interfaces/HostApiKeyInput"},{"text":"HostCall","link":"/api/fastify-accounts/plugin/interfaces/HostCall"},{"text":"HostCreation","link":"/api/fastify-accounts/plugin/interfaces/HostCreation"},{"text":"HostIdentity","link":"/api/fastify-accounts/plugin/interfaces/HostIdentity"},{"text":"HostInvitation","link":"/api/fastify-accounts/plugin/interfaces/HostInvitation"},{"text":"HostLogin","link":"/api/fastify-accounts/plugin/interfaces/HostLogin"},{"text":"HostService","link":"/api/fastify-accounts/plugin/interfaces/HostService"},{"text":"HostSession","link":"/api/fastify-accounts/plugin/interfaces/HostSession"},{"text":"IdentityName","link":"/api/fastify-accounts/plugin/interfaces/IdentityName"},{"text":"IndexDescription","link":"/api/fastify-accounts/plugin/interfaces/IndexDescription"},{"text":"Invitation","link":"/api/fastify-accounts/plugin/interfaces/Invitation"},{"text":"InvitationInput","link":"/api/fastify-accounts/plugin/interfaces/InvitationInput"},{"text":"InvitationListQuery","link":"/api/fastify-accounts/plugin/interfaces/InvitationListQuery"},{"text":"InvitationsOptions","link":"/api/fastify-accounts/plugin/interfaces/InvitationsOptions"},{"text":"InvitationStore","link":"/api/fastify-accounts/plugin/interfaces/InvitationStore"},{"text":"IpLimits","link":"/api/fastify-accounts/plugin/interfaces/IpLimits"},{"text":"Limit","link":"/api/fastify-accounts/plugin/interfaces/Limit"},{"text":"Limits","link":"/api/fastify-accounts/plugin/interfaces/Limits"},{"text":"LoginAttempt","link":"/api/fastify-accounts/plugin/interfaces/LoginAttempt"},{"text":"Mail","link":"/api/fastify-accounts/plugin/interfaces/Mail"},{"text":"Mailer","link":"/api/fastify-accounts/plugin/interfaces/Mailer"},{"text":"MailFailure","link":"/api/fastify-accounts/plugin/interfaces/MailFailure"},{"text":"NewUserInput","link":"/api/fastify-accounts/plugin/interfaces/NewUserInput"},{"text":"Outbox","link":"/api/fastify-accounts/plugin/interfaces/Outbox"},{"text":"OutboxEntry","link":"/api/fastify-accounts/plugin/interfaces/OutboxEntry"},{"text":"OutboxHealth","link":"/api/fastify-accounts/plugin/interfaces/OutboxHealth"},{"text":"PartHealth","link":"/api/fastify-accounts/plugin/interfaces/PartHealth"},{"text":"PasswordCheck","link":"/api/fastify-accounts/plugin/interfaces/PasswordCheck"},{"text":"PasswordHasher","link":"/api/fastify-accounts/plugin/interfaces/PasswordHasher"},{"text":"PasswordLink","link":"/api/fastify-accounts/plugin/interfaces/PasswordLink"},{"text":"PendingMail","link":"/api/fastify-accounts/plugin/interfaces/PendingMail"},{"text":"PendingMessage","link":"/api/fastify-accounts/plugin/interfaces/PendingMessage"},{"text":"PwnedPasswordsOptions","link":"/api/fastify-accounts/plugin/interfaces/PwnedPasswordsOptions"},{"text":"RightsChange","link":"/api/fastify-accounts/plugin/interfaces/RightsChange"},{"text":"RuleContext","link":"/api/fastify-accounts/plugin/interfaces/RuleContext"},{"text":"SecondFactorOptions","link":"/api/fastify-accounts/plugin/interfaces/SecondFactorOptions"},{"text":"SecureInput","link":"/api/fastify-accounts/plugin/interfaces/SecureInput"},{"text":"Session","link":"/api/fastify-accounts/plugin/interfaces/Session"},{"text":"SessionChanges","link":"/api/fastify-accounts/plugin/interfaces/SessionChanges"},{"text":"SessionDetails","link":"/api/fastify-accounts/plugin/interfaces/SessionDetails"},{"text":"SessionStore","link":"/api/fastify-accounts/plugin/interfaces/SessionStore"},{"text":"SignUpAttempt","link":"/api/fastify-accounts/plugin/interfaces/SignUpAttempt"},{"text":"SignUpGrant","link":"/api/fastify-accounts/plugin/interfaces/SignUpGrant"},{"text":"StoredUser","link":"/api/fastify-accounts/plugin/interfaces/StoredUser"},{"text":"TableDescription","link":"/api/fastify-accounts/plugin/interfaces/TableDescription"},{"text":"ThrottleStore","link":"/api/fastify-accounts/plugin/interfaces/ThrottleStore"},{"text":"TokenClaims","link":"/api/fastify-accounts/plugin/interfaces/TokenClaims"},{"text":"TokenContext","link":"/api/fastify-accounts/plugin/interfaces/TokenContext"},{"text":"TokenSigner","link":"/api/fastify-accounts/plugin/interfaces/TokenSigner"},{"text":"TokensOptions","link":"/api/fastify-accounts/plugin/interfaces/TokensOptions"},{"text":"User","link":"/api/fastify-accounts/plugin/interfaces/User"},{"text":"UserFilter","link":"/api/fastify-accounts/plugin/interfaces/UserFilter"},{"text":"UserFlags","link":"/api/fastify-accounts/plugin/interfaces/UserFlags"},{"text":"UserListInput","link":"/api/fastify-accounts/plugin/interfaces/UserListInput"},{"text":"UserListQuery","link":"/api/fastify-accounts/plugin/interfaces/UserListQuery"},{"text":"UserOrder","link":"/api/fastify-accounts/plugin/interfaces/UserOrder"},{"text":"UserPosition","link":"/api/fastify-accounts/plugin/interfaces/UserPosition"},{"text":"UserSearch","link":"/api/fastify-accounts/plugin/interfaces/UserSearch"},{"text":"UserSecured","link":"/api/fastify-accounts/plugin/interfaces/UserSecured"},{"text":"UsersOptions","link":"/api/fastify-accounts/plugin/interfaces/UsersOptions"},{"text":"UserStore","link":"/api/fastify-accounts/plugin/interfaces/UserStore"},{"text":"UserUpdate","link":"/api/fastify-accounts/plugin/interfaces/UserUpdate"}]},{"text":"Type Aliases","collapsed":true,"items":[{"text":"AccountOrigin","link":"/api/fastify-accounts/plugin/type-aliases/AccountOrigin"},{"text":"AccountsHook","link":"/api/fastify-accounts/plugin/type-aliases/AccountsHook"},{"text":"AnyMailKind","link":"/api/fastify-accounts/plugin/type-aliases/AnyMailKind"},{"text":"AnyReply","link":"/api/fastify-accounts/plugin/type-aliases/AnyReply"},{"text":"AnyRequest","link":"/api/fastify-accounts/plugin/type-aliases/AnyRequest"},{"text":"AuditAction","link":"/api/fastify-accounts/plugin/type-aliases/AuditAction"},{"text":"ColumnType","link":"/api/fastify-accounts/plugin/type-aliases/ColumnType"},{"text":"EmailLayout","link":"/api/fastify-accounts/plugin/type-aliases/EmailLayout"},{"text":"EmailTemplate","link":"/api/fastify-accounts/plugin/type-aliases/EmailTemplate"},{"text":"EmailTemplates","link":"/api/fastify-accounts/plugin/type-aliases/EmailTemplates"},{"text":"ErrorCode","link":"/api/fastify-accounts/plugin/type-aliases/ErrorCode"},{"text":"ErrorReason","link":"/api/fastify-accounts/plugin/type-aliases/ErrorReason"},{"text":"FieldErrorCode","link":"/api/fastify-accounts/plugin/type-aliases/FieldErrorCode"},{"text":"FieldsOf","link":"/api/fastify-accounts/plugin/type-aliases/FieldsOf"},{"text":"ImportedUser","link":"/api/fastify-accounts/plugin/type-aliases/ImportedUser"},{"text":"ImportOutcome","link":"/api/fastify-accounts/plugin/type-aliases/ImportOutcome"},{"text":"InvitationChanges","link":"/api/fastify-accounts/plugin/type-aliases/InvitationChanges"},{"text":"JsonValue","link":"/api/fastify-accounts/plugin/type-aliases/JsonValue"},{"text":"LinkRouteName","link":"/api/fastify-accounts/plugin/type-aliases/LinkRouteName"},{"text":"ListAbility","link":"/api/fastify-accounts/plugin/type-aliases/ListAbility"},{"text":"ListingUserStore","link":"/api/fastify-accounts/plugin/type-aliases/ListingUserStore"},{"text":"MailData","link":"/api/fastify-accounts/plugin/type-aliases/MailData"},{"text":"MailKind","link":"/api/fastify-accounts/plugin/type-aliases/MailKind"},{"text":"NewUser","link":"/api/fastify-accounts/plugin/type-aliases/NewUser"},{"text":"OwnMail","link":"/api/fastify-accounts/plugin/type-aliases/OwnMail"},{"text":"OwnMails","link":"/api/fastify-accounts/plugin/type-aliases/OwnMails"},{"text":"OwnUser","link":"/api/fastify-accounts/plugin/type-aliases/OwnUser"},{"text":"PasswordFault","link":"/api/fastify-accounts/plugin/type-aliases/PasswordFault"},{"text":"PermissionOf","link":"/api/fastify-accounts/plugin/type-aliases/PermissionOf"},{"text":"PublicUser","link":"/api/fastify-accounts/plugin/type-aliases/PublicUser"},{"text":"RoleOf","link":"/api/fastify-accounts/plugin/type-aliases/RoleOf"},{"text":"Roles","link":"/api/fastify-accounts/plugin/type-aliases/Roles"},{"text":"RouteName","link":"/api/fastify-accounts/plugin/type-aliases/RouteName"},{"text":"RuleText","link":"/api/fastify-accounts/plugin/type-aliases/RuleText"},{"text":"SessionState","link":"/api/fastify-accounts/plugin/type-aliases/SessionState"},{"text":"SessionUpdate","link":"/api/fastify-accounts/plugin/type-aliases/SessionUpdate"},{"text":"SignUpMethod","link":"/api/fastify-accounts/plugin/type-aliases/SignUpMethod"},{"text":"SomeTexts","link":"/api/fastify-accounts/plugin/type-aliases/SomeTexts"},{"text":"StoreError","link":"/api/fastify-accounts/plugin/type-aliases/StoreError"},{"text":"Texts","link":"/api/fastify-accounts/plugin/type-aliases/Texts"},{"text":"UpdateWithSessions","link":"/api/fastify-accounts/plugin/type-aliases/UpdateWithSessions"},{"text":"UserChanges","link":"/api/fastify-accounts/plugin/type-aliases/UserChanges"},{"text":"UserFields","link":"/api/fastify-accounts/plugin/type-aliases/UserFields"},{"text":"UserKind","link":"/api/fastify-accounts/plugin/type-aliases/UserKind"},{"text":"UserNotes","link":"/api/fastify-accounts/plugin/type-aliases/UserNotes"},{"text":"UserPermission","link":"/api/fastify-accounts/plugin/type-aliases/UserPermission"},{"text":"UserPrefix","link":"/api/fastify-accounts/plugin/type-aliases/UserPrefix"},{"text":"UserQuery","link":"/api/fastify-accounts/plugin/type-aliases/UserQuery"}]},{"text":"Variables","collapsed":true,"items":[{"text":"accounts","link":"/api/fastify-accounts/plugin/variables/accounts"},{"text":"defaultLimits","link":"/api/fastify-accounts/plugin/variables/defaultLimits"},{"text":"errorTable","link":"/api/fastify-accounts/plugin/variables/errorTable"},{"text":"linkPurposes","link":"/api/fastify-accounts/plugin/variables/linkPurposes"},{"text":"usernameKey","link":"/api/fastify-accounts/plugin/variables/usernameKey"},{"text":"userPermissions","link":"/api/fastify-accounts/plugin/variables/userPermissions"}]},{"text":"Functions","collapsed":true,"items":[{"text":"alongsideCalls","link":"/api/fastify-accounts/plugin/functions/alongsideCalls"},{"text":"apiKeys","link":"/api/fastify-accounts/plugin/functions/apiKeys"},{"text":"assertInTime","link":"/api/fastify-accounts/plugin/functions/assertInTime"},{"text":"assertText","link":"/api/fastify-accounts/plugin/functions/assertText"},{"text":"callBefore","link":"/api/fastify-accounts/plugin/functions/callBefore"},{"text":"callDeadline","link":"/api/fastify-accounts/plugin/functions/callDeadline"},{"text":"closable","link":"/api/fastify-accounts/plugin/functions/closable"},{"text":"createConsoleMailer","link":"/api/fastify-accounts/plugin/functions/createConsoleMailer"},{"text":"createHmacSigner","link":"/api/fastify-accounts/plugin/functions/createHmacSigner"},{"text":"createMemoryInvitationStore","link":"/api/fastify-accounts/plugin/functions/createMemoryInvitationStore"},{"text":"createMemorySessionStore","link":"/api/fastify-accounts/plugin/functions/createMemorySessionStore"},{"text":"createMemoryThrottleStore","link":"/api/fastify-accounts/plugin/functions/createMemoryThrottleStore"},{"text":"createMemoryUserStore","link":"/api/fastify-accounts/plugin/functions/createMemoryUserStore"},{"text":"createScryptHasher","link":"/api/fastify-accounts/plugin/functions/createScryptHasher"},{"text":"defaultAuthorize","link":"/api/fastify-accounts/plugin/functions/defaultAuthorize"},{"text":"escapeHtml","link":"/api/fastify-accounts/plugin/functions/escapeHtml"},{"text":"frameworkErrors","link":"/api/fastify-accounts/plugin/functions/frameworkErrors"},{"text":"invitations","link":"/api/fastify-accounts/plugin/functions/invitations"},{"text":"limitPipelining","link":"/api/fastify-accounts/plugin/functions/limitPipelining"},{"text":"lingeringClose","link":"/api/fastify-accounts/plugin/functions/lingeringClose"},{"text":"maskedRequest","link":"/api/fastify-accounts/plugin/functions/maskedRequest"},{"text":"parseEmail","link":"/api/fastify-accounts/plugin/functions/parseEmail"},{"text":"pwnedPasswords","link":"/api/fastify-accounts/plugin/functions/pwnedPasswords"},{"text":"secondFactor","link":"/api/fastify-accounts/plugin/functions/secondFactor"},{"text":"tokens","link":"/api/fastify-accounts/plugin/functions/tokens"}]}]}]}]},"outline":[2,3],"search":{"provider":"local","options":{"miniSearch":{"searchOptions":{"tokenize":"_vp-fn_function tokenize(query) {\\n  const phrases = {\\n    \\"forgot(ten)? (my |your |the )?password\\": \\"reset password\\",\\n    \\"lost (my |your |the )?password\\": \\"reset password\\",\\n    \\"password recovery\\": \\"reset password\\",\\n    \\"magic link\\": \\"login code email\\",\\n    \\"(two|2)[ -]?(factor|step)\\": \\"second factor\\",\\n    \\"remember me\\": \\"remember session\\",\\n    \\"social (login|sign[ -]?in)\\": \\"providers\\",\\n    \\"(log|sign)[ -]?in with\\": \\"providers\\",\\n    \\"(verify|confirm)(ing)? (an |the )?e-?mail\\": \\"verify address\\",\\n    \\"e-?mail (verification|confirmation)\\": \\"verify address\\",\\n    \\"change e-?mail\\": \\"change address\\",\\n    \\"brute[ -]?force\\": \\"rate limits attempts\\",\\n    \\"account lock(ed|out)?\\": \\"rate limits owner\\",\\n    \\"log ?out everywhere\\": \\"end sessions\\",\\n    \\"log ?out all\\": \\"end sessions\\",\\n    \\"first (admin|user)\\": \\"create-user staff\\",\\n    \\"add (a )?column\\": \\"custom user fields\\",\\n    \\"behind (a )?proxy\\": \\"trustProxy proxy\\",\\n    \\"api (key|token)s?\\": \\"bearer tokens\\",\\n    \\"error handler\\": \\"errorResponses errors\\"\\n  };\\n  const found = Object.keys(phrases).filter((phrase) => new RegExp(`\\\\\\\\b(?:${phrase})\\\\\\\\b`, \\"i\\").test(query));\\n  const words = [query, ...found.map((phrase) => phrases[phrase])].join(\\" \\");\\n  return words.split(/[\\\\n\\\\r\\\\p{Z}\\\\p{P}]+/u).filter((word) => word !== \\"\\");\\n}","processTerm":"_vp-fn_function processTerm(term) {\\n  const synonyms = {\\n    \\"2fa\\": [\\"second\\", \\"factor\\", \\"totp\\"],\\n    mfa: [\\"second\\", \\"factor\\", \\"totp\\"],\\n    otp: [\\"totp\\", \\"code\\"],\\n    authenticator: [\\"totp\\"],\\n    webauthn: [\\"passkey\\"],\\n    fido: [\\"passkey\\"],\\n    fido2: [\\"passkey\\"],\\n    yubikey: [\\"passkey\\", \\"factor\\"],\\n    oauth: [\\"provider\\", \\"openid\\"],\\n    oauth2: [\\"provider\\", \\"openid\\"],\\n    oidc: [\\"openid\\", \\"provider\\"],\\n    social: [\\"provider\\", \\"google\\"],\\n    sso: [\\"provider\\", \\"saml\\", \\"openid\\"],\\n    magic: [\\"emailCode\\", \\"code\\"],\\n    otc: [\\"emailCode\\"],\\n    rate: [\\"limit\\", \\"throttle\\"],\\n    throttling: [\\"limit\\", \\"throttle\\"],\\n    bruteforce: [\\"limit\\", \\"throttle\\", \\"attempts\\"],\\n    brute: [\\"limit\\", \\"attempts\\"],\\n    captcha: [\\"limits\\"],\\n    custom: [\\"own\\"],\\n    extra: [\\"own\\"],\\n    metadata: [\\"fields\\"],\\n    columns: [\\"fields\\"],\\n    profile: [\\"fields\\"],\\n    admin: [\\"staff\\"],\\n    role: [\\"staff\\", \\"authorize\\"],\\n    roles: [\\"staff\\", \\"authorize\\"],\\n    permission: [\\"authorize\\", \\"rules\\"],\\n    permissions: [\\"authorize\\", \\"rules\\"],\\n    rbac: [\\"staff\\", \\"authorize\\"],\\n    jwt: [\\"tokens\\", \\"bearer\\"],\\n    mobile: [\\"tokens\\"],\\n    ios: [\\"tokens\\"],\\n    android: [\\"tokens\\"],\\n    expo: [\\"tokens\\"],\\n    i18n: [\\"languages\\"],\\n    translation: [\\"languages\\"],\\n    locale: [\\"languages\\"],\\n    smtp: [\\"nodemailer\\"],\\n    sendgrid: [\\"mailer\\"],\\n    resend: [\\"mailer\\"],\\n    prisma: [\\"user\\", \\"store\\", \\"adapter\\"],\\n    drizzle: [\\"user\\", \\"store\\", \\"adapter\\"],\\n    mongodb: [\\"user\\", \\"store\\", \\"adapter\\"],\\n    mongo: [\\"user\\", \\"store\\", \\"adapter\\"],\\n    postgresql: [\\"postgres\\", \\"kysely\\"],\\n    csrf: [\\"cross\\", \\"site\\", \\"origin\\"],\\n    cors: [\\"origin\\", \\"trustedOrigins\\"],\\n    signin: [\\"log\\", \\"login\\"],\\n    register: [\\"sign\\", \\"signup\\"],\\n    registration: [\\"sign\\", \\"signup\\"],\\n    logout: [\\"log\\", \\"out\\"],\\n    ban: [\\"disable\\"],\\n    block: [\\"disable\\"],\\n    gdpr: [\\"delete\\", \\"account\\"],\\n    hibp: [\\"pwnedPasswords\\", \\"breached\\"],\\n    leaked: [\\"pwnedPasswords\\", \\"breached\\"],\\n    multitenant: [\\"realms\\"],\\n    tenant: [\\"realms\\"],\\n    tenants: [\\"realms\\"],\\n    health: [\\"doctor\\", \\"outages\\"],\\n    monitoring: [\\"events\\", \\"health\\"],\\n    webhook: [\\"events\\"],\\n    hooks: [\\"events\\", \\"rules\\"],\\n    impersonate: [\\"impersonation\\", \\"comparison\\"]\\n  };\\n  const word = term.toLowerCase();\\n  return [word, ...(synonyms[word] ?? []).map((each) => each.toLowerCase())];\\n}","boostDocument":"_vp-fn_function boostDocument(id) {\\n  return /\\\\/(api|source)\\\\//.test(id) ? 0.1 : 1;\\n}"}}}},"externalLinkIcon":true},"locales":{},"scrollOffset":134,"cleanUrls":true}'));
function tryOnScopeDispose(fn) {
  if (vueExports.getCurrentScope()) {
    vueExports.onScopeDispose(fn);
    return true;
  }
  return false;
}
const localProvidedStateMap = /* @__PURE__ */ new WeakMap();
const injectLocal = (...args) => {
  var _a;
  const key = args[0];
  const instance = (_a = vueExports.getCurrentInstance()) == null ? void 0 : _a.proxy;
  if (instance == null && !vueExports.hasInjectionContext())
    throw new Error("injectLocal must be called in setup");
  if (instance && localProvidedStateMap.has(instance) && key in localProvidedStateMap.get(instance))
    return localProvidedStateMap.get(instance)[key];
  return vueExports.inject(...args);
};
const isClient = typeof window !== "undefined" && typeof document !== "undefined";
typeof WorkerGlobalScope !== "undefined" && globalThis instanceof WorkerGlobalScope;
const notNullish = (val) => val != null;
const toString = Object.prototype.toString;
const isObject = (val) => toString.call(val) === "[object Object]";
const noop = () => {
};
const isIOS = /* @__PURE__ */ getIsIOS();
function getIsIOS() {
  var _a, _b;
  return isClient && ((_a = window == null ? void 0 : window.navigator) == null ? void 0 : _a.userAgent) && (/iP(?:ad|hone|od)/.test(window.navigator.userAgent) || ((_b = window == null ? void 0 : window.navigator) == null ? void 0 : _b.maxTouchPoints) > 2 && /iPad|Macintosh/.test(window == null ? void 0 : window.navigator.userAgent));
}
function createFilterWrapper(filter, fn) {
  function wrapper(...args) {
    return new Promise((resolve, reject) => {
      Promise.resolve(filter(() => fn.apply(this, args), { fn, thisArg: this, args })).then(resolve).catch(reject);
    });
  }
  return wrapper;
}
const bypassFilter = (invoke) => {
  return invoke();
};
function debounceFilter(ms, options = {}) {
  let timer;
  let maxTimer;
  let lastRejector = noop;
  const _clearTimeout = (timer2) => {
    clearTimeout(timer2);
    lastRejector();
    lastRejector = noop;
  };
  let lastInvoker;
  const filter = (invoke) => {
    const duration = vueExports.toValue(ms);
    const maxDuration = vueExports.toValue(options.maxWait);
    if (timer)
      _clearTimeout(timer);
    if (duration <= 0 || maxDuration !== void 0 && maxDuration <= 0) {
      if (maxTimer) {
        _clearTimeout(maxTimer);
        maxTimer = null;
      }
      return Promise.resolve(invoke());
    }
    return new Promise((resolve, reject) => {
      lastRejector = options.rejectOnCancel ? reject : resolve;
      lastInvoker = invoke;
      if (maxDuration && !maxTimer) {
        maxTimer = setTimeout(() => {
          if (timer)
            _clearTimeout(timer);
          maxTimer = null;
          resolve(lastInvoker());
        }, maxDuration);
      }
      timer = setTimeout(() => {
        if (maxTimer)
          _clearTimeout(maxTimer);
        maxTimer = null;
        resolve(invoke());
      }, duration);
    });
  };
  return filter;
}
function throttleFilter(...args) {
  let lastExec = 0;
  let timer;
  let isLeading = true;
  let lastRejector = noop;
  let lastValue;
  let ms;
  let trailing;
  let leading;
  let rejectOnCancel;
  if (!vueExports.isRef(args[0]) && typeof args[0] === "object")
    ({ delay: ms, trailing = true, leading = true, rejectOnCancel = false } = args[0]);
  else
    [ms, trailing = true, leading = true, rejectOnCancel = false] = args;
  const clear = () => {
    if (timer) {
      clearTimeout(timer);
      timer = void 0;
      lastRejector();
      lastRejector = noop;
    }
  };
  const filter = (_invoke) => {
    const duration = vueExports.toValue(ms);
    const elapsed = Date.now() - lastExec;
    const invoke = () => {
      return lastValue = _invoke();
    };
    clear();
    if (duration <= 0) {
      lastExec = Date.now();
      return invoke();
    }
    if (elapsed > duration && (leading || !isLeading)) {
      lastExec = Date.now();
      invoke();
    } else if (trailing) {
      lastValue = new Promise((resolve, reject) => {
        lastRejector = rejectOnCancel ? reject : resolve;
        timer = setTimeout(() => {
          lastExec = Date.now();
          isLeading = true;
          resolve(invoke());
          clear();
        }, Math.max(0, duration - elapsed));
      });
    }
    if (!leading && !timer)
      timer = setTimeout(() => isLeading = true, duration);
    isLeading = false;
    return lastValue;
  };
  return filter;
}
function pausableFilter(extendFilter = bypassFilter, options = {}) {
  const {
    initialState = "active"
  } = options;
  const isActive2 = toRef(initialState === "active");
  function pause() {
    isActive2.value = false;
  }
  function resume() {
    isActive2.value = true;
  }
  const eventFilter = (...args) => {
    if (isActive2.value)
      extendFilter(...args);
  };
  return { isActive: vueExports.readonly(isActive2), pause, resume, eventFilter };
}
function pxValue(px) {
  return px.endsWith("rem") ? Number.parseFloat(px) * 16 : Number.parseFloat(px);
}
function getLifeCycleTarget(target) {
  return vueExports.getCurrentInstance();
}
function toArray(value) {
  return Array.isArray(value) ? value : [value];
}
function toRef(...args) {
  if (args.length !== 1)
    return vueExports.toRef(...args);
  const r = args[0];
  return typeof r === "function" ? vueExports.readonly(vueExports.customRef(() => ({ get: r, set: noop }))) : vueExports.ref(r);
}
function useDebounceFn(fn, ms = 200, options = {}) {
  return createFilterWrapper(
    debounceFilter(ms, options),
    fn
  );
}
function useThrottleFn(fn, ms = 200, trailing = false, leading = true, rejectOnCancel = false) {
  return createFilterWrapper(
    throttleFilter(ms, trailing, leading, rejectOnCancel),
    fn
  );
}
function watchWithFilter(source, cb, options = {}) {
  const {
    eventFilter = bypassFilter,
    ...watchOptions
  } = options;
  return vueExports.watch(
    source,
    createFilterWrapper(
      eventFilter,
      cb
    ),
    watchOptions
  );
}
function watchPausable(source, cb, options = {}) {
  const {
    eventFilter: filter,
    initialState = "active",
    ...watchOptions
  } = options;
  const { eventFilter, pause, resume, isActive: isActive2 } = pausableFilter(filter, { initialState });
  const stop = watchWithFilter(
    source,
    cb,
    {
      ...watchOptions,
      eventFilter
    }
  );
  return { stop, pause, resume, isActive: isActive2 };
}
function tryOnMounted(fn, sync = true, target) {
  const instance = getLifeCycleTarget();
  if (instance)
    vueExports.onMounted(fn, target);
  else if (sync)
    fn();
  else
    vueExports.nextTick(fn);
}
function watchDebounced(source, cb, options = {}) {
  const {
    debounce = 0,
    maxWait = void 0,
    ...watchOptions
  } = options;
  return watchWithFilter(
    source,
    cb,
    {
      ...watchOptions,
      eventFilter: debounceFilter(debounce, { maxWait })
    }
  );
}
function watchImmediate(source, cb, options) {
  return vueExports.watch(
    source,
    cb,
    {
      ...options,
      immediate: true
    }
  );
}
function computedAsync(evaluationCallback, initialState, optionsOrRef) {
  let options;
  if (vueExports.isRef(optionsOrRef)) {
    options = {
      evaluating: optionsOrRef
    };
  } else {
    options = {};
  }
  const {
    lazy = false,
    evaluating = void 0,
    shallow = true,
    onError = noop
  } = options;
  const started = vueExports.shallowRef(!lazy);
  const current = shallow ? vueExports.shallowRef(initialState) : vueExports.ref(initialState);
  let counter = 0;
  vueExports.watchEffect(async (onInvalidate) => {
    if (!started.value)
      return;
    counter++;
    const counterAtBeginning = counter;
    let hasFinished = false;
    if (evaluating) {
      Promise.resolve().then(() => {
        evaluating.value = true;
      });
    }
    try {
      const result = await evaluationCallback((cancelCallback) => {
        onInvalidate(() => {
          if (evaluating)
            evaluating.value = false;
          if (!hasFinished)
            cancelCallback();
        });
      });
      if (counterAtBeginning === counter)
        current.value = result;
    } catch (e) {
      onError(e);
    } finally {
      if (evaluating && counterAtBeginning === counter)
        evaluating.value = false;
      hasFinished = true;
    }
  });
  if (lazy) {
    return vueExports.computed(() => {
      started.value = true;
      return current.value;
    });
  } else {
    return current;
  }
}
const defaultWindow = isClient ? window : void 0;
function unrefElement(elRef) {
  var _a;
  const plain = vueExports.toValue(elRef);
  return (_a = plain == null ? void 0 : plain.$el) != null ? _a : plain;
}
function useEventListener(...args) {
  const cleanups = [];
  const cleanup = () => {
    cleanups.forEach((fn) => fn());
    cleanups.length = 0;
  };
  const register = (el, event, listener, options) => {
    el.addEventListener(event, listener, options);
    return () => el.removeEventListener(event, listener, options);
  };
  const firstParamTargets = vueExports.computed(() => {
    const test = toArray(vueExports.toValue(args[0])).filter((e) => e != null);
    return test.every((e) => typeof e !== "string") ? test : void 0;
  });
  const stopWatch = watchImmediate(
    () => {
      var _a, _b;
      return [
        (_b = (_a = firstParamTargets.value) == null ? void 0 : _a.map((e) => unrefElement(e))) != null ? _b : [defaultWindow].filter((e) => e != null),
        toArray(vueExports.toValue(firstParamTargets.value ? args[1] : args[0])),
        toArray(vueExports.unref(firstParamTargets.value ? args[2] : args[1])),
        // @ts-expect-error - TypeScript gets the correct types, but somehow still complains
        vueExports.toValue(firstParamTargets.value ? args[3] : args[2])
      ];
    },
    ([raw_targets, raw_events, raw_listeners, raw_options]) => {
      cleanup();
      if (!(raw_targets == null ? void 0 : raw_targets.length) || !(raw_events == null ? void 0 : raw_events.length) || !(raw_listeners == null ? void 0 : raw_listeners.length))
        return;
      const optionsClone = isObject(raw_options) ? { ...raw_options } : raw_options;
      cleanups.push(
        ...raw_targets.flatMap(
          (el) => raw_events.flatMap(
            (event) => raw_listeners.map((listener) => register(el, event, listener, optionsClone))
          )
        )
      );
    },
    { flush: "post" }
  );
  const stop = () => {
    stopWatch();
    cleanup();
  };
  tryOnScopeDispose(cleanup);
  return stop;
}
function useMounted() {
  const isMounted = vueExports.shallowRef(false);
  const instance = vueExports.getCurrentInstance();
  if (instance) {
    vueExports.onMounted(() => {
      isMounted.value = true;
    }, instance);
  }
  return isMounted;
}
function useSupported(callback) {
  const isMounted = useMounted();
  return vueExports.computed(() => {
    isMounted.value;
    return Boolean(callback());
  });
}
function createKeyPredicate(keyFilter) {
  if (typeof keyFilter === "function")
    return keyFilter;
  else if (typeof keyFilter === "string")
    return (event) => event.key === keyFilter;
  else if (Array.isArray(keyFilter))
    return (event) => keyFilter.includes(event.key);
  return () => true;
}
function onKeyStroke(...args) {
  let key;
  let handler;
  let options = {};
  if (args.length === 3) {
    key = args[0];
    handler = args[1];
    options = args[2];
  } else if (args.length === 2) {
    if (typeof args[1] === "object") {
      key = true;
      handler = args[0];
      options = args[1];
    } else {
      key = args[0];
      handler = args[1];
    }
  } else {
    key = true;
    handler = args[0];
  }
  const {
    target = defaultWindow,
    eventName = "keydown",
    passive = false,
    dedupe = false
  } = options;
  const predicate = createKeyPredicate(key);
  const listener = (e) => {
    if (e.repeat && vueExports.toValue(dedupe))
      return;
    if (predicate(e))
      handler(e);
  };
  return useEventListener(target, eventName, listener, passive);
}
const ssrWidthSymbol = Symbol("vueuse-ssr-width");
function useSSRWidth() {
  const ssrWidth = vueExports.hasInjectionContext() ? injectLocal(ssrWidthSymbol, null) : null;
  return typeof ssrWidth === "number" ? ssrWidth : void 0;
}
function useMediaQuery(query, options = {}) {
  const { window: window2 = defaultWindow, ssrWidth = useSSRWidth() } = options;
  const isSupported = useSupported(() => window2 && "matchMedia" in window2 && typeof window2.matchMedia === "function");
  const ssrSupport = vueExports.shallowRef(typeof ssrWidth === "number");
  const mediaQuery = vueExports.shallowRef();
  const matches = vueExports.shallowRef(false);
  const handler = (event) => {
    matches.value = event.matches;
  };
  vueExports.watchEffect(() => {
    if (ssrSupport.value) {
      ssrSupport.value = !isSupported.value;
      const queryStrings = vueExports.toValue(query).split(",");
      matches.value = queryStrings.some((queryString) => {
        const not = queryString.includes("not all");
        const minWidth = queryString.match(/\(\s*min-width:\s*(-?\d+(?:\.\d*)?[a-z]+\s*)\)/);
        const maxWidth = queryString.match(/\(\s*max-width:\s*(-?\d+(?:\.\d*)?[a-z]+\s*)\)/);
        let res = Boolean(minWidth || maxWidth);
        if (minWidth && res) {
          res = ssrWidth >= pxValue(minWidth[1]);
        }
        if (maxWidth && res) {
          res = ssrWidth <= pxValue(maxWidth[1]);
        }
        return not ? !res : res;
      });
      return;
    }
    if (!isSupported.value)
      return;
    mediaQuery.value = window2.matchMedia(vueExports.toValue(query));
    matches.value = mediaQuery.value.matches;
  });
  useEventListener(mediaQuery, "change", handler, { passive: true });
  return vueExports.computed(() => matches.value);
}
const _global = typeof globalThis !== "undefined" ? globalThis : typeof window !== "undefined" ? window : typeof global !== "undefined" ? global : typeof self !== "undefined" ? self : {};
const globalKey = "__vueuse_ssr_handlers__";
const handlers = /* @__PURE__ */ getHandlers();
function getHandlers() {
  if (!(globalKey in _global))
    _global[globalKey] = _global[globalKey] || {};
  return _global[globalKey];
}
function getSSRHandler(key, fallback) {
  return handlers[key] || fallback;
}
function usePreferredDark(options) {
  return useMediaQuery("(prefers-color-scheme: dark)", options);
}
function guessSerializerType(rawInit) {
  return rawInit == null ? "any" : rawInit instanceof Set ? "set" : rawInit instanceof Map ? "map" : rawInit instanceof Date ? "date" : typeof rawInit === "boolean" ? "boolean" : typeof rawInit === "string" ? "string" : typeof rawInit === "object" ? "object" : !Number.isNaN(rawInit) ? "number" : "any";
}
const StorageSerializers = {
  boolean: {
    read: (v) => v === "true",
    write: (v) => String(v)
  },
  object: {
    read: (v) => JSON.parse(v),
    write: (v) => JSON.stringify(v)
  },
  number: {
    read: (v) => Number.parseFloat(v),
    write: (v) => String(v)
  },
  any: {
    read: (v) => v,
    write: (v) => String(v)
  },
  string: {
    read: (v) => v,
    write: (v) => String(v)
  },
  map: {
    read: (v) => new Map(JSON.parse(v)),
    write: (v) => JSON.stringify(Array.from(v.entries()))
  },
  set: {
    read: (v) => new Set(JSON.parse(v)),
    write: (v) => JSON.stringify(Array.from(v))
  },
  date: {
    read: (v) => new Date(v),
    write: (v) => v.toISOString()
  }
};
const customStorageEventName = "vueuse-storage";
function useStorage(key, defaults, storage, options = {}) {
  var _a;
  const {
    flush = "pre",
    deep = true,
    listenToStorageChanges = true,
    writeDefaults = true,
    mergeDefaults = false,
    shallow,
    window: window2 = defaultWindow,
    eventFilter,
    onError = (e) => {
      console.error(e);
    },
    initOnMounted
  } = options;
  const data = (shallow ? vueExports.shallowRef : vueExports.ref)(typeof defaults === "function" ? defaults() : defaults);
  const keyComputed = vueExports.computed(() => vueExports.toValue(key));
  if (!storage) {
    try {
      storage = getSSRHandler("getDefaultStorage", () => {
        var _a2;
        return (_a2 = defaultWindow) == null ? void 0 : _a2.localStorage;
      })();
    } catch (e) {
      onError(e);
    }
  }
  if (!storage)
    return data;
  const rawInit = vueExports.toValue(defaults);
  const type = guessSerializerType(rawInit);
  const serializer = (_a = options.serializer) != null ? _a : StorageSerializers[type];
  const { pause: pauseWatch, resume: resumeWatch } = watchPausable(
    data,
    () => write(data.value),
    { flush, deep, eventFilter }
  );
  vueExports.watch(keyComputed, () => update(), { flush });
  if (window2 && listenToStorageChanges) {
    tryOnMounted(() => {
      if (storage instanceof Storage)
        useEventListener(window2, "storage", update, { passive: true });
      else
        useEventListener(window2, customStorageEventName, updateFromCustomEvent);
      if (initOnMounted)
        update();
    });
  }
  if (!initOnMounted)
    update();
  function dispatchWriteEvent(oldValue, newValue) {
    if (window2) {
      const payload = {
        key: keyComputed.value,
        oldValue,
        newValue,
        storageArea: storage
      };
      window2.dispatchEvent(storage instanceof Storage ? new StorageEvent("storage", payload) : new CustomEvent(customStorageEventName, {
        detail: payload
      }));
    }
  }
  function write(v) {
    try {
      const oldValue = storage.getItem(keyComputed.value);
      if (v == null) {
        dispatchWriteEvent(oldValue, null);
        storage.removeItem(keyComputed.value);
      } else {
        const serialized = serializer.write(v);
        if (oldValue !== serialized) {
          storage.setItem(keyComputed.value, serialized);
          dispatchWriteEvent(oldValue, serialized);
        }
      }
    } catch (e) {
      onError(e);
    }
  }
  function read(event) {
    const rawValue = event ? event.newValue : storage.getItem(keyComputed.value);
    if (rawValue == null) {
      if (writeDefaults && rawInit != null)
        storage.setItem(keyComputed.value, serializer.write(rawInit));
      return rawInit;
    } else if (!event && mergeDefaults) {
      const value = serializer.read(rawValue);
      if (typeof mergeDefaults === "function")
        return mergeDefaults(value, rawInit);
      else if (type === "object" && !Array.isArray(value))
        return { ...rawInit, ...value };
      return value;
    } else if (typeof rawValue !== "string") {
      return rawValue;
    } else {
      return serializer.read(rawValue);
    }
  }
  function update(event) {
    if (event && event.storageArea !== storage)
      return;
    if (event && event.key == null) {
      data.value = rawInit;
      return;
    }
    if (event && event.key !== keyComputed.value)
      return;
    pauseWatch();
    try {
      if ((event == null ? void 0 : event.newValue) !== serializer.write(data.value))
        data.value = read(event);
    } catch (e) {
      onError(e);
    } finally {
      if (event)
        vueExports.nextTick(resumeWatch);
      else
        resumeWatch();
    }
  }
  function updateFromCustomEvent(event) {
    update(event.detail);
  }
  return data;
}
const CSS_DISABLE_TRANS = "*,*::before,*::after{-webkit-transition:none!important;-moz-transition:none!important;-o-transition:none!important;-ms-transition:none!important;transition:none!important}";
function useColorMode(options = {}) {
  const {
    selector = "html",
    attribute = "class",
    initialValue = "auto",
    window: window2 = defaultWindow,
    storage,
    storageKey = "vueuse-color-scheme",
    listenToStorageChanges = true,
    storageRef,
    emitAuto,
    disableTransition = true
  } = options;
  const modes = {
    auto: "",
    light: "light",
    dark: "dark",
    ...options.modes || {}
  };
  const preferredDark = usePreferredDark({ window: window2 });
  const system = vueExports.computed(() => preferredDark.value ? "dark" : "light");
  const store = storageRef || (storageKey == null ? toRef(initialValue) : useStorage(storageKey, initialValue, storage, { window: window2, listenToStorageChanges }));
  const state = vueExports.computed(() => store.value === "auto" ? system.value : store.value);
  const updateHTMLAttrs = getSSRHandler(
    "updateHTMLAttrs",
    (selector2, attribute2, value) => {
      const el = typeof selector2 === "string" ? window2 == null ? void 0 : window2.document.querySelector(selector2) : unrefElement(selector2);
      if (!el)
        return;
      const classesToAdd = /* @__PURE__ */ new Set();
      const classesToRemove = /* @__PURE__ */ new Set();
      let attributeToChange = null;
      if (attribute2 === "class") {
        const current = value.split(/\s/g);
        Object.values(modes).flatMap((i) => (i || "").split(/\s/g)).filter(Boolean).forEach((v) => {
          if (current.includes(v))
            classesToAdd.add(v);
          else
            classesToRemove.add(v);
        });
      } else {
        attributeToChange = { key: attribute2, value };
      }
      if (classesToAdd.size === 0 && classesToRemove.size === 0 && attributeToChange === null)
        return;
      let style;
      if (disableTransition) {
        style = window2.document.createElement("style");
        style.appendChild(document.createTextNode(CSS_DISABLE_TRANS));
        window2.document.head.appendChild(style);
      }
      for (const c of classesToAdd) {
        el.classList.add(c);
      }
      for (const c of classesToRemove) {
        el.classList.remove(c);
      }
      if (attributeToChange) {
        el.setAttribute(attributeToChange.key, attributeToChange.value);
      }
      if (disableTransition) {
        window2.getComputedStyle(style).opacity;
        document.head.removeChild(style);
      }
    }
  );
  function defaultOnChanged(mode) {
    var _a;
    updateHTMLAttrs(selector, attribute, (_a = modes[mode]) != null ? _a : mode);
  }
  function onChanged(mode) {
    if (options.onChanged)
      options.onChanged(mode, defaultOnChanged);
    else
      defaultOnChanged(mode);
  }
  vueExports.watch(state, onChanged, { flush: "post", immediate: true });
  tryOnMounted(() => onChanged(state.value));
  const auto = vueExports.computed({
    get() {
      return emitAuto ? store.value : state.value;
    },
    set(v) {
      store.value = v;
    }
  });
  return Object.assign(auto, { store, system, state });
}
function useDark(options = {}) {
  const {
    valueDark = "dark",
    valueLight = ""
  } = options;
  const mode = useColorMode({
    ...options,
    onChanged: (mode2, defaultHandler) => {
      var _a;
      if (options.onChanged)
        (_a = options.onChanged) == null ? void 0 : _a.call(options, mode2 === "dark", defaultHandler, mode2);
      else
        defaultHandler(mode2);
    },
    modes: {
      dark: valueDark,
      light: valueLight
    }
  });
  const system = vueExports.computed(() => mode.system.value);
  const isDark = vueExports.computed({
    get() {
      return mode.value === "dark";
    },
    set(v) {
      const modeVal = v ? "dark" : "light";
      if (system.value === modeVal)
        mode.value = "auto";
      else
        mode.value = modeVal;
    }
  });
  return isDark;
}
function resolveElement(el) {
  if (typeof Window !== "undefined" && el instanceof Window)
    return el.document.documentElement;
  if (typeof Document !== "undefined" && el instanceof Document)
    return el.documentElement;
  return el;
}
const ARRIVED_STATE_THRESHOLD_PIXELS = 1;
function useScroll(element, options = {}) {
  const {
    throttle = 0,
    idle = 200,
    onStop = noop,
    onScroll = noop,
    offset = {
      left: 0,
      right: 0,
      top: 0,
      bottom: 0
    },
    eventListenerOptions = {
      capture: false,
      passive: true
    },
    behavior = "auto",
    window: window2 = defaultWindow,
    onError = (e) => {
      console.error(e);
    }
  } = options;
  const internalX = vueExports.shallowRef(0);
  const internalY = vueExports.shallowRef(0);
  const x = vueExports.computed({
    get() {
      return internalX.value;
    },
    set(x2) {
      scrollTo2(x2, void 0);
    }
  });
  const y = vueExports.computed({
    get() {
      return internalY.value;
    },
    set(y2) {
      scrollTo2(void 0, y2);
    }
  });
  function scrollTo2(_x, _y) {
    var _a, _b, _c, _d;
    if (!window2)
      return;
    const _element = vueExports.toValue(element);
    if (!_element)
      return;
    (_c = _element instanceof Document ? window2.document.body : _element) == null ? void 0 : _c.scrollTo({
      top: (_a = vueExports.toValue(_y)) != null ? _a : y.value,
      left: (_b = vueExports.toValue(_x)) != null ? _b : x.value,
      behavior: vueExports.toValue(behavior)
    });
    const scrollContainer = ((_d = _element == null ? void 0 : _element.document) == null ? void 0 : _d.documentElement) || (_element == null ? void 0 : _element.documentElement) || _element;
    if (x != null)
      internalX.value = scrollContainer.scrollLeft;
    if (y != null)
      internalY.value = scrollContainer.scrollTop;
  }
  const isScrolling = vueExports.shallowRef(false);
  const arrivedState = vueExports.reactive({
    left: true,
    right: false,
    top: true,
    bottom: false
  });
  const directions = vueExports.reactive({
    left: false,
    right: false,
    top: false,
    bottom: false
  });
  const onScrollEnd = (e) => {
    if (!isScrolling.value)
      return;
    isScrolling.value = false;
    directions.left = false;
    directions.right = false;
    directions.top = false;
    directions.bottom = false;
    onStop(e);
  };
  const onScrollEndDebounced = useDebounceFn(onScrollEnd, throttle + idle);
  const setArrivedState = (target) => {
    var _a;
    if (!window2)
      return;
    const el = ((_a = target == null ? void 0 : target.document) == null ? void 0 : _a.documentElement) || (target == null ? void 0 : target.documentElement) || unrefElement(target);
    const { display, flexDirection, direction } = getComputedStyle(el);
    const directionMultipler = direction === "rtl" ? -1 : 1;
    const scrollLeft = el.scrollLeft;
    directions.left = scrollLeft < internalX.value;
    directions.right = scrollLeft > internalX.value;
    const left = Math.abs(scrollLeft * directionMultipler) <= (offset.left || 0);
    const right = Math.abs(scrollLeft * directionMultipler) + el.clientWidth >= el.scrollWidth - (offset.right || 0) - ARRIVED_STATE_THRESHOLD_PIXELS;
    if (display === "flex" && flexDirection === "row-reverse") {
      arrivedState.left = right;
      arrivedState.right = left;
    } else {
      arrivedState.left = left;
      arrivedState.right = right;
    }
    internalX.value = scrollLeft;
    let scrollTop = el.scrollTop;
    if (target === window2.document && !scrollTop)
      scrollTop = window2.document.body.scrollTop;
    directions.top = scrollTop < internalY.value;
    directions.bottom = scrollTop > internalY.value;
    const top = Math.abs(scrollTop) <= (offset.top || 0);
    const bottom = Math.abs(scrollTop) + el.clientHeight >= el.scrollHeight - (offset.bottom || 0) - ARRIVED_STATE_THRESHOLD_PIXELS;
    if (display === "flex" && flexDirection === "column-reverse") {
      arrivedState.top = bottom;
      arrivedState.bottom = top;
    } else {
      arrivedState.top = top;
      arrivedState.bottom = bottom;
    }
    internalY.value = scrollTop;
  };
  const onScrollHandler = (e) => {
    var _a;
    if (!window2)
      return;
    const eventTarget = (_a = e.target.documentElement) != null ? _a : e.target;
    setArrivedState(eventTarget);
    isScrolling.value = true;
    onScrollEndDebounced(e);
    onScroll(e);
  };
  useEventListener(
    element,
    "scroll",
    throttle ? useThrottleFn(onScrollHandler, throttle, true, false) : onScrollHandler,
    eventListenerOptions
  );
  tryOnMounted(() => {
    try {
      const _element = vueExports.toValue(element);
      if (!_element)
        return;
      setArrivedState(_element);
    } catch (e) {
      onError(e);
    }
  });
  useEventListener(
    element,
    "scrollend",
    onScrollEnd,
    eventListenerOptions
  );
  return {
    x,
    y,
    isScrolling,
    arrivedState,
    directions,
    measure() {
      const _element = vueExports.toValue(element);
      if (window2 && _element)
        setArrivedState(_element);
    }
  };
}
function useLocalStorage(key, initialValue, options = {}) {
  const { window: window2 = defaultWindow } = options;
  return useStorage(key, initialValue, window2 == null ? void 0 : window2.localStorage, options);
}
function checkOverflowScroll(ele) {
  const style = window.getComputedStyle(ele);
  if (style.overflowX === "scroll" || style.overflowY === "scroll" || style.overflowX === "auto" && ele.clientWidth < ele.scrollWidth || style.overflowY === "auto" && ele.clientHeight < ele.scrollHeight) {
    return true;
  } else {
    const parent = ele.parentNode;
    if (!parent || parent.tagName === "BODY")
      return false;
    return checkOverflowScroll(parent);
  }
}
function preventDefault(rawEvent) {
  const e = rawEvent || window.event;
  const _target = e.target;
  if (checkOverflowScroll(_target))
    return false;
  if (e.touches.length > 1)
    return true;
  if (e.preventDefault)
    e.preventDefault();
  return false;
}
const elInitialOverflow = /* @__PURE__ */ new WeakMap();
function useScrollLock(element, initialState = false) {
  const isLocked = vueExports.shallowRef(initialState);
  let stopTouchMoveListener = null;
  let initialOverflow = "";
  vueExports.watch(toRef(element), (el) => {
    const target = resolveElement(vueExports.toValue(el));
    if (target) {
      const ele = target;
      if (!elInitialOverflow.get(ele))
        elInitialOverflow.set(ele, ele.style.overflow);
      if (ele.style.overflow !== "hidden")
        initialOverflow = ele.style.overflow;
      if (ele.style.overflow === "hidden")
        return isLocked.value = true;
      if (isLocked.value)
        return ele.style.overflow = "hidden";
    }
  }, {
    immediate: true
  });
  const lock = () => {
    const el = resolveElement(vueExports.toValue(element));
    if (!el || isLocked.value)
      return;
    if (isIOS) {
      stopTouchMoveListener = useEventListener(
        el,
        "touchmove",
        (e) => {
          preventDefault(e);
        },
        { passive: false }
      );
    }
    el.style.overflow = "hidden";
    isLocked.value = true;
  };
  const unlock = () => {
    const el = resolveElement(vueExports.toValue(element));
    if (!el || !isLocked.value)
      return;
    if (isIOS)
      stopTouchMoveListener == null ? void 0 : stopTouchMoveListener();
    el.style.overflow = initialOverflow;
    elInitialOverflow.delete(el);
    isLocked.value = false;
  };
  tryOnScopeDispose(unlock);
  return vueExports.computed({
    get() {
      return isLocked.value;
    },
    set(v) {
      if (v)
        lock();
      else unlock();
    }
  });
}
function useSessionStorage(key, initialValue, options = {}) {
  const { window: window2 = defaultWindow } = options;
  return useStorage(key, initialValue, window2 == null ? void 0 : window2.sessionStorage, options);
}
function useWindowScroll(options = {}) {
  const { window: window2 = defaultWindow, ...rest } = options;
  return useScroll(window2, rest);
}
function useWindowSize(options = {}) {
  const {
    window: window2 = defaultWindow,
    initialWidth = Number.POSITIVE_INFINITY,
    initialHeight = Number.POSITIVE_INFINITY,
    listenOrientation = true,
    includeScrollbar = true,
    type = "inner"
  } = options;
  const width = vueExports.shallowRef(initialWidth);
  const height = vueExports.shallowRef(initialHeight);
  const update = () => {
    if (window2) {
      if (type === "outer") {
        width.value = window2.outerWidth;
        height.value = window2.outerHeight;
      } else if (type === "visual" && window2.visualViewport) {
        const { width: visualViewportWidth, height: visualViewportHeight, scale } = window2.visualViewport;
        width.value = Math.round(visualViewportWidth * scale);
        height.value = Math.round(visualViewportHeight * scale);
      } else if (includeScrollbar) {
        width.value = window2.innerWidth;
        height.value = window2.innerHeight;
      } else {
        width.value = window2.document.documentElement.clientWidth;
        height.value = window2.document.documentElement.clientHeight;
      }
    }
  };
  update();
  tryOnMounted(update);
  const listenerOptions = { passive: true };
  useEventListener("resize", update, listenerOptions);
  if (window2 && type === "visual" && window2.visualViewport) {
    useEventListener(window2.visualViewport, "resize", update, listenerOptions);
  }
  if (listenOrientation) {
    const matches = useMediaQuery("(orientation: portrait)");
    vueExports.watch(matches, () => update());
  }
  return { width, height };
}
const __vite_import_meta_env__ = {};
const EXTERNAL_URL_RE = /^(?:[a-z]+:|\/\/)/i;
const APPEARANCE_KEY = "vitepress-theme-appearance";
const HASH_RE = /#.*$/;
const HASH_OR_QUERY_RE = /[?#].*$/;
const INDEX_OR_EXT_RE = /(?:(^|\/)index)?\.(?:md|html)$/;
const inBrowser = typeof document !== "undefined";
const notFoundPageData = {
  relativePath: "404.md",
  filePath: "",
  title: "404",
  description: "Not Found",
  headers: [],
  frontmatter: { sidebar: false, layout: "page" },
  lastUpdated: 0,
  isNotFound: true
};
function isActive(currentPath, matchPath, asRegex = false) {
  if (matchPath === void 0) {
    return false;
  }
  currentPath = normalize(`/${currentPath}`);
  if (asRegex) {
    return new RegExp(matchPath).test(currentPath);
  }
  if (normalize(matchPath) !== currentPath) {
    return false;
  }
  const hashMatch = matchPath.match(HASH_RE);
  if (hashMatch) {
    return (inBrowser ? location.hash : "") === hashMatch[0];
  }
  return true;
}
function normalize(path) {
  return decodeURI(path).replace(HASH_OR_QUERY_RE, "").replace(INDEX_OR_EXT_RE, "$1");
}
function isExternal(path) {
  return EXTERNAL_URL_RE.test(path);
}
function getLocaleForPath(siteData2, relativePath) {
  return Object.keys((siteData2 == null ? void 0 : siteData2.locales) || {}).find((key) => key !== "root" && !isExternal(key) && isActive(relativePath, `/${key}/`, true)) || "root";
}
function resolveSiteDataByRoute(siteData2, relativePath) {
  var _a, _b, _c, _d, _e, _f, _g;
  const localeIndex = getLocaleForPath(siteData2, relativePath);
  return Object.assign({}, siteData2, {
    localeIndex,
    lang: ((_a = siteData2.locales[localeIndex]) == null ? void 0 : _a.lang) ?? siteData2.lang,
    dir: ((_b = siteData2.locales[localeIndex]) == null ? void 0 : _b.dir) ?? siteData2.dir,
    title: ((_c = siteData2.locales[localeIndex]) == null ? void 0 : _c.title) ?? siteData2.title,
    titleTemplate: ((_d = siteData2.locales[localeIndex]) == null ? void 0 : _d.titleTemplate) ?? siteData2.titleTemplate,
    description: ((_e = siteData2.locales[localeIndex]) == null ? void 0 : _e.description) ?? siteData2.description,
    head: mergeHead(siteData2.head, ((_f = siteData2.locales[localeIndex]) == null ? void 0 : _f.head) ?? []),
    themeConfig: {
      ...siteData2.themeConfig,
      ...(_g = siteData2.locales[localeIndex]) == null ? void 0 : _g.themeConfig
    }
  });
}
function createTitle(siteData2, pageData) {
  const title = pageData.title || siteData2.title;
  const template = pageData.titleTemplate ?? siteData2.titleTemplate;
  if (typeof template === "string" && template.includes(":title")) {
    return template.replace(/:title/g, title);
  }
  const templateString = createTitleTemplate(siteData2.title, template);
  if (title === templateString.slice(3)) {
    return title;
  }
  return `${title}${templateString}`;
}
function createTitleTemplate(siteTitle, template) {
  if (template === false) {
    return "";
  }
  if (template === true || template === void 0) {
    return ` | ${siteTitle}`;
  }
  if (siteTitle === template) {
    return "";
  }
  return ` | ${template}`;
}
function hasTag(head, tag) {
  const [tagType, tagAttrs] = tag;
  if (tagType !== "meta")
    return false;
  const keyAttr = Object.entries(tagAttrs)[0];
  if (keyAttr == null)
    return false;
  return head.some(([type, attrs]) => type === tagType && attrs[keyAttr[0]] === keyAttr[1]);
}
function mergeHead(prev, curr) {
  return [...prev.filter((tagAttrs) => !hasTag(curr, tagAttrs)), ...curr];
}
const INVALID_CHAR_REGEX = /[\u0000-\u001F"#$&*+,:;<=>?[\]^`{|}\u007F]/g;
const DRIVE_LETTER_REGEX = /^[a-z]:/i;
function sanitizeFileName(name) {
  const match = DRIVE_LETTER_REGEX.exec(name);
  const driveLetter = match ? match[0] : "";
  return driveLetter + name.slice(driveLetter.length).replace(INVALID_CHAR_REGEX, "_").replace(/(^|\/)_+(?=[^/]*$)/, "$1");
}
const KNOWN_EXTENSIONS = /* @__PURE__ */ new Set();
function treatAsHtml(filename) {
  var _a;
  if (KNOWN_EXTENSIONS.size === 0) {
    const extraExts = typeof process === "object" && ((_a = process.env) == null ? void 0 : _a.VITE_EXTRA_EXTENSIONS) || (__vite_import_meta_env__ == null ? void 0 : __vite_import_meta_env__.VITE_EXTRA_EXTENSIONS) || "";
    ("3g2,3gp,aac,ai,apng,au,avif,bin,bmp,cer,class,conf,crl,css,csv,dll,doc,eps,epub,exe,gif,gz,ics,ief,jar,jpe,jpeg,jpg,js,json,jsonld,m4a,man,mid,midi,mjs,mov,mp2,mp3,mp4,mpe,mpeg,mpg,mpp,oga,ogg,ogv,ogx,opus,otf,p10,p7c,p7m,p7s,pdf,png,ps,qt,roff,rtf,rtx,ser,svg,t,tif,tiff,tr,ts,tsv,ttf,txt,vtt,wav,weba,webm,webp,woff,woff2,xhtml,xml,yaml,yml,zip" + (extraExts && typeof extraExts === "string" ? "," + extraExts : "")).split(",").forEach((ext2) => KNOWN_EXTENSIONS.add(ext2));
  }
  const ext = filename.split(".").pop();
  return ext == null || !KNOWN_EXTENSIONS.has(ext.toLowerCase());
}
function escapeRegExp(str) {
  return str.replace(/[|\\{}()[\]^$+*?.]/g, "\\$&").replace(/-/g, "\\x2d");
}
const dataSymbol = Symbol();
const siteDataRef = vueExports.shallowRef(siteData);
function initData(route) {
  const site = vueExports.computed(() => resolveSiteDataByRoute(siteDataRef.value, route.data.relativePath));
  const appearance = site.value.appearance;
  const isDark = appearance === "force-dark" ? vueExports.ref(true) : appearance === "force-auto" ? usePreferredDark() : appearance ? useDark({
    storageKey: APPEARANCE_KEY,
    initialValue: () => appearance === "dark" ? "dark" : "auto",
    ...typeof appearance === "object" ? appearance : {}
  }) : vueExports.ref(false);
  const hashRef = vueExports.ref(inBrowser ? location.hash : "");
  if (inBrowser) {
    window.addEventListener("hashchange", () => {
      hashRef.value = location.hash;
    });
  }
  vueExports.watch(() => route.data, () => {
    hashRef.value = inBrowser ? location.hash : "";
  });
  return {
    site,
    theme: vueExports.computed(() => site.value.themeConfig),
    page: vueExports.computed(() => route.data),
    frontmatter: vueExports.computed(() => route.data.frontmatter),
    params: vueExports.computed(() => route.data.params),
    lang: vueExports.computed(() => site.value.lang),
    dir: vueExports.computed(() => route.data.frontmatter.dir || site.value.dir),
    localeIndex: vueExports.computed(() => site.value.localeIndex || "root"),
    title: vueExports.computed(() => createTitle(site.value, route.data)),
    description: vueExports.computed(() => route.data.description || site.value.description),
    isDark,
    hash: vueExports.computed(() => hashRef.value)
  };
}
function useData$1() {
  const data = vueExports.inject(dataSymbol);
  if (!data) {
    throw new Error("vitepress data not properly injected in app");
  }
  return data;
}
function joinPath(base, path) {
  return `${base}${path}`.replace(/\/+/g, "/");
}
function withBase(path) {
  return EXTERNAL_URL_RE.test(path) || !path.startsWith("/") ? path : joinPath(siteDataRef.value.base, path);
}
function pathToFile(path) {
  let pagePath = path.replace(/\.html$/, "");
  pagePath = decodeURIComponent(pagePath);
  pagePath = pagePath.replace(/\/$/, "/index");
  {
    if (inBrowser) {
      const base = "/";
      pagePath = sanitizeFileName(pagePath.slice(base.length).replace(/\//g, "_") || "index") + ".md";
      let pageHash = __VP_HASH_MAP__[pagePath.toLowerCase()];
      if (!pageHash) {
        pagePath = pagePath.endsWith("_index.md") ? pagePath.slice(0, -9) + ".md" : pagePath.slice(0, -3) + "_index.md";
        pageHash = __VP_HASH_MAP__[pagePath.toLowerCase()];
      }
      if (!pageHash)
        return null;
      pagePath = `${base}${"assets"}/${pagePath}.${pageHash}.js`;
    } else {
      pagePath = `./${sanitizeFileName(pagePath.slice(1).replace(/\//g, "_"))}.md.js`;
    }
  }
  return pagePath;
}
let contentUpdatedCallbacks = [];
function onContentUpdated(fn) {
  contentUpdatedCallbacks.push(fn);
  vueExports.onUnmounted(() => {
    contentUpdatedCallbacks = contentUpdatedCallbacks.filter((f) => f !== fn);
  });
}
function getScrollOffset() {
  let scrollOffset = siteDataRef.value.scrollOffset;
  let offset = 0;
  let padding = 24;
  if (typeof scrollOffset === "object" && "padding" in scrollOffset) {
    padding = scrollOffset.padding;
    scrollOffset = scrollOffset.selector;
  }
  if (typeof scrollOffset === "number") {
    offset = scrollOffset;
  } else if (typeof scrollOffset === "string") {
    offset = tryOffsetSelector(scrollOffset, padding);
  } else if (Array.isArray(scrollOffset)) {
    for (const selector of scrollOffset) {
      const res = tryOffsetSelector(selector, padding);
      if (res) {
        offset = res;
        break;
      }
    }
  }
  return offset;
}
function tryOffsetSelector(selector, padding) {
  const el = document.querySelector(selector);
  if (!el)
    return 0;
  const bot = el.getBoundingClientRect().bottom;
  if (bot < 0)
    return 0;
  return bot + padding;
}
const RouterSymbol = Symbol();
const fakeHost = "http://a.com";
const getDefaultRoute = () => ({
  path: "/",
  component: null,
  data: notFoundPageData
});
function createRouter(loadPageModule, fallbackComponent) {
  const route = vueExports.reactive(getDefaultRoute());
  const router = {
    route,
    go
  };
  async function go(href = inBrowser ? location.href : "/") {
    var _a, _b;
    href = normalizeHref(href);
    if (await ((_a = router.onBeforeRouteChange) == null ? void 0 : _a.call(router, href)) === false)
      return;
    if (inBrowser && href !== normalizeHref(location.href)) {
      history.replaceState({ scrollPosition: window.scrollY }, "");
      history.pushState({}, "", href);
    }
    await loadPage(href);
    await ((_b = router.onAfterRouteChange ?? router.onAfterRouteChanged) == null ? void 0 : _b(href));
  }
  let latestPendingPath = null;
  async function loadPage(href, scrollPosition = 0, isRetry = false) {
    var _a, _b;
    if (await ((_a = router.onBeforePageLoad) == null ? void 0 : _a.call(router, href)) === false)
      return;
    const targetLoc = new URL(href, fakeHost);
    const pendingPath = latestPendingPath = targetLoc.pathname;
    try {
      let page = await loadPageModule(pendingPath);
      if (!page) {
        throw new Error(`Page not found: ${pendingPath}`);
      }
      if (latestPendingPath === pendingPath) {
        latestPendingPath = null;
        const { default: comp, __pageData } = page;
        if (!comp) {
          throw new Error(`Invalid route component: ${comp}`);
        }
        await ((_b = router.onAfterPageLoad) == null ? void 0 : _b.call(router, href));
        route.path = inBrowser ? pendingPath : withBase(pendingPath);
        route.component = vueExports.markRaw(comp);
        route.data = true ? vueExports.markRaw(__pageData) : vueExports.readonly(__pageData);
        if (inBrowser) {
          vueExports.nextTick(() => {
            let actualPathname = siteDataRef.value.base + __pageData.relativePath.replace(/(?:(^|\/)index)?\.md$/, "$1");
            if (!siteDataRef.value.cleanUrls && !actualPathname.endsWith("/")) {
              actualPathname += ".html";
            }
            if (actualPathname !== targetLoc.pathname) {
              targetLoc.pathname = actualPathname;
              href = actualPathname + targetLoc.search + targetLoc.hash;
              history.replaceState({}, "", href);
            }
            if (targetLoc.hash && !scrollPosition) {
              let target = null;
              try {
                target = document.getElementById(decodeURIComponent(targetLoc.hash).slice(1));
              } catch (e) {
                console.warn(e);
              }
              if (target) {
                scrollTo(target, targetLoc.hash);
                return;
              }
            }
            window.scrollTo(0, scrollPosition);
          });
        }
      }
    } catch (err) {
      if (!/fetch|Page not found/.test(err.message) && !/^\/404(\.html|\/)?$/.test(href)) {
        console.error(err);
      }
      if (!isRetry) {
        try {
          const res = await fetch(siteDataRef.value.base + "hashmap.json");
          window.__VP_HASH_MAP__ = await res.json();
          await loadPage(href, scrollPosition, true);
          return;
        } catch (e) {
        }
      }
      if (latestPendingPath === pendingPath) {
        latestPendingPath = null;
        route.path = inBrowser ? pendingPath : withBase(pendingPath);
        route.component = fallbackComponent ? vueExports.markRaw(fallbackComponent) : null;
        const relativePath = inBrowser ? pendingPath.replace(/(^|\/)$/, "$1index").replace(/(\.html)?$/, ".md").replace(/^\//, "") : "404.md";
        route.data = { ...notFoundPageData, relativePath };
      }
    }
  }
  if (inBrowser) {
    if (history.state === null) {
      history.replaceState({}, "");
    }
    window.addEventListener("click", (e) => {
      if (e.defaultPrevented || !(e.target instanceof Element) || e.target.closest("button") || // temporary fix for docsearch action buttons
      e.button !== 0 || e.ctrlKey || e.shiftKey || e.altKey || e.metaKey)
        return;
      const link2 = e.target.closest("a");
      if (!link2 || link2.closest(".vp-raw") || link2.hasAttribute("download") || link2.hasAttribute("target"))
        return;
      const linkHref = link2.getAttribute("href") ?? (link2 instanceof SVGAElement ? link2.getAttribute("xlink:href") : null);
      if (linkHref == null)
        return;
      const { href, origin, pathname, hash, search } = new URL(linkHref, link2.baseURI);
      const currentUrl = new URL(location.href);
      if (origin === currentUrl.origin && treatAsHtml(pathname)) {
        e.preventDefault();
        if (pathname === currentUrl.pathname && search === currentUrl.search) {
          if (hash !== currentUrl.hash) {
            history.pushState({}, "", href);
            window.dispatchEvent(new HashChangeEvent("hashchange", {
              oldURL: currentUrl.href,
              newURL: href
            }));
          }
          if (hash) {
            scrollTo(link2, hash, link2.classList.contains("header-anchor"));
          } else {
            window.scrollTo(0, 0);
          }
        } else {
          go(href);
        }
      }
    }, { capture: true });
    window.addEventListener("popstate", async (e) => {
      var _a;
      if (e.state === null)
        return;
      const href = normalizeHref(location.href);
      await loadPage(href, e.state && e.state.scrollPosition || 0);
      await ((_a = router.onAfterRouteChange ?? router.onAfterRouteChanged) == null ? void 0 : _a(href));
    });
    window.addEventListener("hashchange", (e) => {
      e.preventDefault();
    });
  }
  return router;
}
function useRouter() {
  const router = vueExports.inject(RouterSymbol);
  if (!router) {
    throw new Error("useRouter() is called without provider.");
  }
  return router;
}
function useRoute() {
  return useRouter().route;
}
function scrollTo(el, hash, smooth = false) {
  let target = null;
  try {
    target = el.classList.contains("header-anchor") ? el : document.getElementById(decodeURIComponent(hash).slice(1));
  } catch (e) {
    console.warn(e);
  }
  if (target) {
    let scrollToTarget = function() {
      if (!smooth || Math.abs(targetTop - window.scrollY) > window.innerHeight)
        window.scrollTo(0, targetTop);
      else
        window.scrollTo({ left: 0, top: targetTop, behavior: "smooth" });
    };
    const targetPadding = parseInt(window.getComputedStyle(target).paddingTop, 10);
    const targetTop = window.scrollY + target.getBoundingClientRect().top - getScrollOffset() + targetPadding;
    requestAnimationFrame(scrollToTarget);
  }
}
function normalizeHref(href) {
  const url = new URL(href, fakeHost);
  url.pathname = url.pathname.replace(/(^|\/)index(\.html)?$/, "$1");
  if (siteDataRef.value.cleanUrls)
    url.pathname = url.pathname.replace(/\.html$/, "");
  else if (!url.pathname.endsWith("/") && !url.pathname.endsWith(".html"))
    url.pathname += ".html";
  return url.pathname + url.search + url.hash;
}
const runCbs = () => contentUpdatedCallbacks.forEach((fn) => fn());
const Content = vueExports.defineComponent({
  name: "VitePressContent",
  props: {
    as: { type: [Object, String], default: "div" }
  },
  setup(props) {
    const route = useRoute();
    const { frontmatter, site } = useData$1();
    vueExports.watch(frontmatter, runCbs, { deep: true, flush: "post" });
    return () => vueExports.h(props.as, site.value.contentProps ?? { style: { position: "relative" } }, [
      route.component ? vueExports.h(route.component, {
        onVnodeMounted: runCbs,
        onVnodeUpdated: runCbs,
        onVnodeUnmounted: runCbs
      }) : "404 Page Not Found"
    ]);
  }
});
const _sfc_main$13 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPBackdrop",
  __ssrInlineRender: true,
  props: {
    show: { type: Boolean }
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      if (__props.show) {
        _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPBackdrop" }, _attrs))} data-v-5535bec9></div>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$13 = _sfc_main$13.setup;
_sfc_main$13.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPBackdrop.vue");
  return _sfc_setup$13 ? _sfc_setup$13(props, ctx) : void 0;
};
const VPBackdrop = /* @__PURE__ */ _export_sfc(_sfc_main$13, [["__scopeId", "data-v-5535bec9"]]);
const useData = useData$1;
function throttleAndDebounce(fn, delay) {
  let timeoutId;
  let called = false;
  return () => {
    if (timeoutId)
      clearTimeout(timeoutId);
    if (!called) {
      fn();
      (called = true) && setTimeout(() => called = false, delay);
    } else
      timeoutId = setTimeout(fn, delay);
  };
}
function ensureStartingSlash(path) {
  return path.startsWith("/") ? path : `/${path}`;
}
function normalizeLink$1(url) {
  const { pathname, search, hash, protocol } = new URL(url, "http://a.com");
  if (isExternal(url) || url.startsWith("#") || !protocol.startsWith("http") || !treatAsHtml(pathname))
    return url;
  const { site } = useData();
  const normalizedPath = pathname.endsWith("/") || pathname.endsWith(".html") ? url : url.replace(/(?:(^\.+)\/)?.*$/, `$1${pathname.replace(/(\.md)?$/, site.value.cleanUrls ? "" : ".html")}${search}${hash}`);
  return withBase(normalizedPath);
}
function useLangs({ correspondingLink = false } = {}) {
  const { site, localeIndex, page, theme: theme2, hash } = useData();
  const currentLang = vueExports.computed(() => {
    var _a, _b;
    return {
      label: (_a = site.value.locales[localeIndex.value]) == null ? void 0 : _a.label,
      link: ((_b = site.value.locales[localeIndex.value]) == null ? void 0 : _b.link) || (localeIndex.value === "root" ? "/" : `/${localeIndex.value}/`)
    };
  });
  const localeLinks = vueExports.computed(() => Object.entries(site.value.locales).flatMap(([key, value]) => currentLang.value.label === value.label ? [] : {
    text: value.label,
    link: normalizeLink(value.link || (key === "root" ? "/" : `/${key}/`), theme2.value.i18nRouting !== false && correspondingLink, page.value.relativePath.slice(currentLang.value.link.length - 1), !site.value.cleanUrls) + hash.value
  }));
  return { localeLinks, currentLang };
}
function normalizeLink(link2, addPath, path, addExt) {
  return addPath ? link2.replace(/\/$/, "") + ensureStartingSlash(path.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, addExt ? ".html" : "")) : link2;
}
const _sfc_main$12 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "NotFound",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2 } = useData();
    const { currentLang } = useLangs();
    return (_ctx, _push, _parent, _attrs) => {
      var _a, _b, _c, _d, _e;
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "NotFound" }, _attrs))} data-v-743f3471><p class="code" data-v-743f3471>${ssrInterpolate_1(((_a = vueExports.unref(theme2).notFound) == null ? void 0 : _a.code) ?? "404")}</p><h1 class="title" data-v-743f3471>${ssrInterpolate_1(((_b = vueExports.unref(theme2).notFound) == null ? void 0 : _b.title) ?? "PAGE NOT FOUND")}</h1><div class="divider" data-v-743f3471></div><blockquote class="quote" data-v-743f3471>${ssrInterpolate_1(((_c = vueExports.unref(theme2).notFound) == null ? void 0 : _c.quote) ?? "But if you don't change your direction, and if you keep looking, you may end up where you are heading.")}</blockquote><div class="action" data-v-743f3471><a class="link"${ssrRenderAttr_1("href", vueExports.unref(withBase)(vueExports.unref(currentLang).link))}${ssrRenderAttr_1("aria-label", ((_d = vueExports.unref(theme2).notFound) == null ? void 0 : _d.linkLabel) ?? "go to home")} data-v-743f3471>${ssrInterpolate_1(((_e = vueExports.unref(theme2).notFound) == null ? void 0 : _e.linkText) ?? "Take me home")}</a></div></div>`);
    };
  }
});
const _sfc_setup$12 = _sfc_main$12.setup;
_sfc_main$12.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/NotFound.vue");
  return _sfc_setup$12 ? _sfc_setup$12(props, ctx) : void 0;
};
const NotFound = /* @__PURE__ */ _export_sfc(_sfc_main$12, [["__scopeId", "data-v-743f3471"]]);
function getSidebar(_sidebar, path) {
  if (Array.isArray(_sidebar))
    return addBase(_sidebar);
  if (_sidebar == null)
    return [];
  path = ensureStartingSlash(path);
  const dir = Object.keys(_sidebar).sort((a, b) => {
    return b.split("/").length - a.split("/").length;
  }).find((dir2) => {
    return path.startsWith(ensureStartingSlash(dir2));
  });
  const sidebar = dir ? _sidebar[dir] : [];
  return Array.isArray(sidebar) ? addBase(sidebar) : addBase(sidebar.items, sidebar.base);
}
function getSidebarGroups(sidebar) {
  const groups = [];
  let lastGroupIndex = 0;
  for (const index in sidebar) {
    const item = sidebar[index];
    if (item.items) {
      lastGroupIndex = groups.push(item);
      continue;
    }
    if (!groups[lastGroupIndex]) {
      groups.push({ items: [] });
    }
    groups[lastGroupIndex].items.push(item);
  }
  return groups;
}
function getFlatSideBarLinks(sidebar) {
  const links = [];
  function recursivelyExtractLinks(items) {
    for (const item of items) {
      if (item.text && item.link) {
        links.push({
          text: item.text,
          link: item.link,
          docFooterText: item.docFooterText
        });
      }
      if (item.items) {
        recursivelyExtractLinks(item.items);
      }
    }
  }
  recursivelyExtractLinks(sidebar);
  return links;
}
function hasActiveLink(path, items) {
  if (Array.isArray(items)) {
    return items.some((item) => hasActiveLink(path, item));
  }
  return isActive(path, items.link) ? true : items.items ? hasActiveLink(path, items.items) : false;
}
function addBase(items, _base) {
  return [...items].map((_item) => {
    const item = { ..._item };
    const base = item.base || _base;
    if (base && item.link)
      item.link = base + item.link;
    if (item.items)
      item.items = addBase(item.items, base);
    return item;
  });
}
function useSidebar() {
  const { frontmatter, page, theme: theme2 } = useData();
  const is960 = useMediaQuery("(min-width: 960px)");
  const isOpen = vueExports.ref(false);
  const _sidebar = vueExports.computed(() => {
    const sidebarConfig = theme2.value.sidebar;
    const relativePath = page.value.relativePath;
    return sidebarConfig ? getSidebar(sidebarConfig, relativePath) : [];
  });
  const sidebar = vueExports.ref(_sidebar.value);
  vueExports.watch(_sidebar, (next, prev) => {
    if (JSON.stringify(next) !== JSON.stringify(prev))
      sidebar.value = _sidebar.value;
  });
  const hasSidebar = vueExports.computed(() => {
    return frontmatter.value.sidebar !== false && sidebar.value.length > 0 && frontmatter.value.layout !== "home";
  });
  const leftAside = vueExports.computed(() => {
    if (hasAside)
      return frontmatter.value.aside == null ? theme2.value.aside === "left" : frontmatter.value.aside === "left";
    return false;
  });
  const hasAside = vueExports.computed(() => {
    if (frontmatter.value.layout === "home")
      return false;
    if (frontmatter.value.aside != null)
      return !!frontmatter.value.aside;
    return theme2.value.aside !== false;
  });
  const isSidebarEnabled = vueExports.computed(() => hasSidebar.value && is960.value);
  const sidebarGroups = vueExports.computed(() => {
    return hasSidebar.value ? getSidebarGroups(sidebar.value) : [];
  });
  function open() {
    isOpen.value = true;
  }
  function close() {
    isOpen.value = false;
  }
  function toggle() {
    isOpen.value ? close() : open();
  }
  return {
    isOpen,
    sidebar,
    sidebarGroups,
    hasSidebar,
    hasAside,
    leftAside,
    isSidebarEnabled,
    open,
    close,
    toggle
  };
}
function useCloseSidebarOnEscape(isOpen, close) {
  let triggerElement;
  vueExports.watchEffect(() => {
    triggerElement = isOpen.value ? document.activeElement : void 0;
  });
  vueExports.onMounted(() => {
    window.addEventListener("keyup", onEscape);
  });
  vueExports.onUnmounted(() => {
    window.removeEventListener("keyup", onEscape);
  });
  function onEscape(e) {
    if (e.key === "Escape" && isOpen.value) {
      close();
      triggerElement == null ? void 0 : triggerElement.focus();
    }
  }
}
function useSidebarControl(item) {
  const { page, hash } = useData();
  const collapsed = vueExports.ref(false);
  const collapsible = vueExports.computed(() => {
    return item.value.collapsed != null;
  });
  const isLink = vueExports.computed(() => {
    return !!item.value.link;
  });
  const isActiveLink = vueExports.ref(false);
  const updateIsActiveLink = () => {
    isActiveLink.value = isActive(page.value.relativePath, item.value.link);
  };
  vueExports.watch([page, item, hash], updateIsActiveLink);
  vueExports.onMounted(updateIsActiveLink);
  const hasActiveLink$1 = vueExports.computed(() => {
    if (isActiveLink.value) {
      return true;
    }
    return item.value.items ? hasActiveLink(page.value.relativePath, item.value.items) : false;
  });
  const hasChildren = vueExports.computed(() => {
    return !!(item.value.items && item.value.items.length);
  });
  vueExports.watchEffect(() => {
    collapsed.value = !!(collapsible.value && item.value.collapsed);
  });
  vueExports.watchPostEffect(() => {
    (isActiveLink.value || hasActiveLink$1.value) && (collapsed.value = false);
  });
  function toggle() {
    if (collapsible.value) {
      collapsed.value = !collapsed.value;
    }
  }
  return {
    collapsed,
    collapsible,
    isLink,
    isActiveLink,
    hasActiveLink: hasActiveLink$1,
    hasChildren,
    toggle
  };
}
function useAside() {
  const { hasSidebar } = useSidebar();
  const is960 = useMediaQuery("(min-width: 960px)");
  const is1280 = useMediaQuery("(min-width: 1280px)");
  const isAsideEnabled = vueExports.computed(() => {
    if (!is1280.value && !is960.value) {
      return false;
    }
    return hasSidebar.value ? is1280.value : is960.value;
  });
  return {
    isAsideEnabled
  };
}
const ignoreRE = /\b(?:VPBadge|header-anchor|footnote-ref|ignore-header)\b/;
const resolvedHeaders = [];
function resolveTitle(theme2) {
  return typeof theme2.outline === "object" && !Array.isArray(theme2.outline) && theme2.outline.label || theme2.outlineTitle || "On this page";
}
function getHeaders(range) {
  const headers = [
    ...document.querySelectorAll(".VPDoc :where(h1,h2,h3,h4,h5,h6)")
  ].filter((el) => el.id && el.hasChildNodes()).map((el) => {
    const level = Number(el.tagName[1]);
    return {
      element: el,
      title: serializeHeader(el),
      link: "#" + el.id,
      level
    };
  });
  return resolveHeaders(headers, range);
}
function serializeHeader(h) {
  let ret = "";
  for (const node of h.childNodes) {
    if (node.nodeType === 1) {
      if (ignoreRE.test(node.className))
        continue;
      ret += node.textContent;
    } else if (node.nodeType === 3) {
      ret += node.textContent;
    }
  }
  return ret.trim();
}
function resolveHeaders(headers, range) {
  if (range === false) {
    return [];
  }
  const levelsRange = (typeof range === "object" && !Array.isArray(range) ? range.level : range) || 2;
  const [high, low] = typeof levelsRange === "number" ? [levelsRange, levelsRange] : levelsRange === "deep" ? [2, 6] : levelsRange;
  return buildTree(headers, high, low);
}
function useActiveAnchor(container, marker) {
  const { isAsideEnabled } = useAside();
  const onScroll = throttleAndDebounce(setActiveLink, 100);
  let prevActiveLink = null;
  vueExports.onMounted(() => {
    requestAnimationFrame(setActiveLink);
    window.addEventListener("scroll", onScroll);
  });
  vueExports.onUpdated(() => {
    activateLink(location.hash);
  });
  vueExports.onUnmounted(() => {
    window.removeEventListener("scroll", onScroll);
  });
  function setActiveLink() {
    if (!isAsideEnabled.value) {
      return;
    }
    const scrollY = window.scrollY;
    const innerHeight = window.innerHeight;
    const offsetHeight = document.body.offsetHeight;
    const isBottom = Math.abs(scrollY + innerHeight - offsetHeight) < 1;
    const headers = resolvedHeaders.map(({ element, link: link2 }) => ({
      link: link2,
      top: getAbsoluteTop(element)
    })).filter(({ top }) => !Number.isNaN(top)).sort((a, b) => a.top - b.top);
    if (!headers.length) {
      activateLink(null);
      return;
    }
    if (scrollY < 1) {
      activateLink(null);
      return;
    }
    if (isBottom) {
      activateLink(headers[headers.length - 1].link);
      return;
    }
    let activeLink = null;
    for (const { link: link2, top } of headers) {
      if (top > scrollY + getScrollOffset() + 4) {
        break;
      }
      activeLink = link2;
    }
    activateLink(activeLink);
  }
  function activateLink(hash) {
    if (prevActiveLink) {
      prevActiveLink.classList.remove("active");
    }
    if (hash == null) {
      prevActiveLink = null;
    } else {
      prevActiveLink = container.value.querySelector(`a[href="${decodeURIComponent(hash)}"]`);
    }
    const activeLink = prevActiveLink;
    if (activeLink) {
      activeLink.classList.add("active");
      marker.value.style.top = activeLink.offsetTop + 39 + "px";
      marker.value.style.opacity = "1";
    } else {
      marker.value.style.top = "33px";
      marker.value.style.opacity = "0";
    }
  }
}
function getAbsoluteTop(element) {
  let offsetTop = 0;
  while (element !== document.body) {
    if (element === null) {
      return NaN;
    }
    offsetTop += element.offsetTop;
    element = element.offsetParent;
  }
  return offsetTop;
}
function buildTree(data, min, max) {
  resolvedHeaders.length = 0;
  const result = [];
  const stack = [];
  data.forEach((item) => {
    const node = { ...item, children: [] };
    let parent = stack[stack.length - 1];
    while (parent && parent.level >= node.level) {
      stack.pop();
      parent = stack[stack.length - 1];
    }
    if (node.element.classList.contains("ignore-header") || parent && "shouldIgnore" in parent) {
      stack.push({ level: node.level, shouldIgnore: true });
      return;
    }
    if (node.level > max || node.level < min)
      return;
    resolvedHeaders.push({ element: node.element, link: node.link });
    if (parent)
      parent.children.push(node);
    else
      result.push(node);
    stack.push(node);
  });
  return result;
}
const _sfc_main$11 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPDocOutlineItem",
  __ssrInlineRender: true,
  props: {
    headers: {},
    root: { type: Boolean }
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      const _component_VPDocOutlineItem = vueExports.resolveComponent("VPDocOutlineItem", true);
      _push(`<ul${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPDocOutlineItem", __props.root ? "root" : "nested"]
      }, _attrs))} data-v-2358d46d><!--[-->`);
      ssrRenderList_1(__props.headers, ({ children, link: link2, title }) => {
        _push(`<li data-v-2358d46d><a class="outline-link"${ssrRenderAttr_1("href", link2)}${ssrRenderAttr_1("title", title)} data-v-2358d46d>${ssrInterpolate_1(title)}</a>`);
        if (children == null ? void 0 : children.length) {
          _push(ssrRenderComponent_1(_component_VPDocOutlineItem, { headers: children }, null, _parent));
        } else {
          _push(`<!---->`);
        }
        _push(`</li>`);
      });
      _push(`<!--]--></ul>`);
    };
  }
});
const _sfc_setup$11 = _sfc_main$11.setup;
_sfc_main$11.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPDocOutlineItem.vue");
  return _sfc_setup$11 ? _sfc_setup$11(props, ctx) : void 0;
};
const VPDocOutlineItem = /* @__PURE__ */ _export_sfc(_sfc_main$11, [["__scopeId", "data-v-2358d46d"]]);
const _sfc_main$10 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPDocAsideOutline",
  __ssrInlineRender: true,
  setup(__props) {
    const { frontmatter, theme: theme2 } = useData();
    const headers = vueExports.shallowRef([]);
    onContentUpdated(() => {
      headers.value = getHeaders(frontmatter.value.outline ?? theme2.value.outline);
    });
    const container = vueExports.ref();
    const marker = vueExports.ref();
    useActiveAnchor(container, marker);
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<nav${ssrRenderAttrs_1(vueExports.mergeProps({
        "aria-labelledby": "doc-outline-aria-label",
        class: ["VPDocAsideOutline", { "has-outline": headers.value.length > 0 }],
        ref_key: "container",
        ref: container
      }, _attrs))} data-v-debbad9e><div class="content" data-v-debbad9e><div class="outline-marker" data-v-debbad9e></div><div aria-level="2" class="outline-title" id="doc-outline-aria-label" role="heading" data-v-debbad9e>${ssrInterpolate_1(vueExports.unref(resolveTitle)(vueExports.unref(theme2)))}</div>`);
      _push(ssrRenderComponent_1(VPDocOutlineItem, {
        headers: headers.value,
        root: true
      }, null, _parent));
      _push(`</div></nav>`);
    };
  }
});
const _sfc_setup$10 = _sfc_main$10.setup;
_sfc_main$10.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPDocAsideOutline.vue");
  return _sfc_setup$10 ? _sfc_setup$10(props, ctx) : void 0;
};
const VPDocAsideOutline = /* @__PURE__ */ _export_sfc(_sfc_main$10, [["__scopeId", "data-v-debbad9e"]]);
const _sfc_main$$ = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPDocAsideCarbonAds",
  __ssrInlineRender: true,
  props: {
    carbonAds: {}
  },
  setup(__props) {
    const VPCarbonAds = () => null;
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPDocAsideCarbonAds" }, _attrs))}>`);
      _push(ssrRenderComponent_1(vueExports.unref(VPCarbonAds), { "carbon-ads": __props.carbonAds }, null, _parent));
      _push(`</div>`);
    };
  }
});
const _sfc_setup$$ = _sfc_main$$.setup;
_sfc_main$$.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPDocAsideCarbonAds.vue");
  return _sfc_setup$$ ? _sfc_setup$$(props, ctx) : void 0;
};
const _sfc_main$_ = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPDocAside",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2 } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPDocAside" }, _attrs))} data-v-a934f2bf>`);
      ssrRenderSlot_1(_ctx.$slots, "aside-top", {}, null, _push, _parent);
      ssrRenderSlot_1(_ctx.$slots, "aside-outline-before", {}, null, _push, _parent);
      _push(ssrRenderComponent_1(VPDocAsideOutline, null, null, _parent));
      ssrRenderSlot_1(_ctx.$slots, "aside-outline-after", {}, null, _push, _parent);
      _push(`<div class="spacer" data-v-a934f2bf></div>`);
      ssrRenderSlot_1(_ctx.$slots, "aside-ads-before", {}, null, _push, _parent);
      if (vueExports.unref(theme2).carbonAds) {
        _push(ssrRenderComponent_1(_sfc_main$$, {
          "carbon-ads": vueExports.unref(theme2).carbonAds
        }, null, _parent));
      } else {
        _push(`<!---->`);
      }
      ssrRenderSlot_1(_ctx.$slots, "aside-ads-after", {}, null, _push, _parent);
      ssrRenderSlot_1(_ctx.$slots, "aside-bottom", {}, null, _push, _parent);
      _push(`</div>`);
    };
  }
});
const _sfc_setup$_ = _sfc_main$_.setup;
_sfc_main$_.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPDocAside.vue");
  return _sfc_setup$_ ? _sfc_setup$_(props, ctx) : void 0;
};
const VPDocAside = /* @__PURE__ */ _export_sfc(_sfc_main$_, [["__scopeId", "data-v-a934f2bf"]]);
function useEditLink() {
  const { theme: theme2, page } = useData();
  return vueExports.computed(() => {
    const { text = "Edit this page", pattern = "" } = theme2.value.editLink || {};
    let url;
    if (typeof pattern === "function") {
      url = pattern(page.value);
    } else {
      url = pattern.replace(/:path/g, page.value.filePath);
    }
    return { url, text };
  });
}
function usePrevNext() {
  const { page, theme: theme2, frontmatter } = useData();
  return vueExports.computed(() => {
    var _a, _b, _c, _d, _e, _f, _g, _h;
    const sidebar = getSidebar(theme2.value.sidebar, page.value.relativePath);
    const links = getFlatSideBarLinks(sidebar);
    const candidates = uniqBy(links, (link2) => link2.link.replace(/[?#].*$/, ""));
    const index = candidates.findIndex((link2) => {
      return isActive(page.value.relativePath, link2.link);
    });
    const hidePrev = ((_a = theme2.value.docFooter) == null ? void 0 : _a.prev) === false && !frontmatter.value.prev || frontmatter.value.prev === false;
    const hideNext = ((_b = theme2.value.docFooter) == null ? void 0 : _b.next) === false && !frontmatter.value.next || frontmatter.value.next === false;
    return {
      prev: hidePrev ? void 0 : {
        text: (typeof frontmatter.value.prev === "string" ? frontmatter.value.prev : typeof frontmatter.value.prev === "object" ? frontmatter.value.prev.text : void 0) ?? ((_c = candidates[index - 1]) == null ? void 0 : _c.docFooterText) ?? ((_d = candidates[index - 1]) == null ? void 0 : _d.text),
        link: (typeof frontmatter.value.prev === "object" ? frontmatter.value.prev.link : void 0) ?? ((_e = candidates[index - 1]) == null ? void 0 : _e.link)
      },
      next: hideNext ? void 0 : {
        text: (typeof frontmatter.value.next === "string" ? frontmatter.value.next : typeof frontmatter.value.next === "object" ? frontmatter.value.next.text : void 0) ?? ((_f = candidates[index + 1]) == null ? void 0 : _f.docFooterText) ?? ((_g = candidates[index + 1]) == null ? void 0 : _g.text),
        link: (typeof frontmatter.value.next === "object" ? frontmatter.value.next.link : void 0) ?? ((_h = candidates[index + 1]) == null ? void 0 : _h.link)
      }
    };
  });
}
function uniqBy(array, keyFn) {
  const seen = /* @__PURE__ */ new Set();
  return array.filter((item) => {
    const k = keyFn(item);
    return seen.has(k) ? false : seen.add(k);
  });
}
const _sfc_main$Z = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPLink",
  __ssrInlineRender: true,
  props: {
    tag: {},
    href: {},
    noIcon: { type: Boolean },
    target: {},
    rel: {}
  },
  setup(__props) {
    const props = __props;
    const tag = vueExports.computed(() => props.tag ?? (props.href ? "a" : "span"));
    const isExternal2 = vueExports.computed(
      () => props.href && EXTERNAL_URL_RE.test(props.href) || props.target === "_blank"
    );
    return (_ctx, _push, _parent, _attrs) => {
      ssrRenderVNode(_push, vueExports.createVNode(vueExports.resolveDynamicComponent(tag.value), vueExports.mergeProps({
        class: ["VPLink", {
          link: __props.href,
          "vp-external-link-icon": isExternal2.value,
          "no-icon": __props.noIcon
        }],
        href: __props.href ? vueExports.unref(normalizeLink$1)(__props.href) : void 0,
        target: __props.target ?? (isExternal2.value ? "_blank" : void 0),
        rel: __props.rel ?? (isExternal2.value ? "noreferrer" : void 0)
      }, _attrs), {
        default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            ssrRenderSlot_1(_ctx.$slots, "default", {}, null, _push2, _parent2, _scopeId);
          } else {
            return [
              vueExports.renderSlot(_ctx.$slots, "default")
            ];
          }
        }),
        _: 3
      }), _parent);
    };
  }
});
const _sfc_setup$Z = _sfc_main$Z.setup;
_sfc_main$Z.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPLink.vue");
  return _sfc_setup$Z ? _sfc_setup$Z(props, ctx) : void 0;
};
const _sfc_main$Y = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPDocFooterLastUpdated",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2, page, lang } = useData();
    const date = vueExports.computed(
      () => new Date(page.value.lastUpdated)
    );
    const isoDatetime = vueExports.computed(() => date.value.toISOString());
    const datetime = vueExports.ref("");
    vueExports.onMounted(() => {
      vueExports.watchEffect(() => {
        var _a, _b, _c;
        datetime.value = new Intl.DateTimeFormat(
          ((_b = (_a = theme2.value.lastUpdated) == null ? void 0 : _a.formatOptions) == null ? void 0 : _b.forceLocale) ? lang.value : void 0,
          ((_c = theme2.value.lastUpdated) == null ? void 0 : _c.formatOptions) ?? {
            dateStyle: "short",
            timeStyle: "short"
          }
        ).format(date.value);
      });
    });
    return (_ctx, _push, _parent, _attrs) => {
      var _a;
      _push(`<p${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPLastUpdated" }, _attrs))} data-v-59337f43>${ssrInterpolate_1(((_a = vueExports.unref(theme2).lastUpdated) == null ? void 0 : _a.text) || vueExports.unref(theme2).lastUpdatedText || "Last updated")}: <time${ssrRenderAttr_1("datetime", isoDatetime.value)} data-v-59337f43>${ssrInterpolate_1(datetime.value)}</time></p>`);
    };
  }
});
const _sfc_setup$Y = _sfc_main$Y.setup;
_sfc_main$Y.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPDocFooterLastUpdated.vue");
  return _sfc_setup$Y ? _sfc_setup$Y(props, ctx) : void 0;
};
const VPDocFooterLastUpdated = /* @__PURE__ */ _export_sfc(_sfc_main$Y, [["__scopeId", "data-v-59337f43"]]);
const _sfc_main$X = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPDocFooter",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2, page, frontmatter } = useData();
    const editLink = useEditLink();
    const control = usePrevNext();
    const hasEditLink = vueExports.computed(
      () => theme2.value.editLink && frontmatter.value.editLink !== false
    );
    const hasLastUpdated = vueExports.computed(() => page.value.lastUpdated);
    const showFooter = vueExports.computed(
      () => hasEditLink.value || hasLastUpdated.value || control.value.prev || control.value.next
    );
    return (_ctx, _push, _parent, _attrs) => {
      var _a, _b, _c, _d;
      if (showFooter.value) {
        _push(`<footer${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPDocFooter" }, _attrs))} data-v-a99aec0d>`);
        ssrRenderSlot_1(_ctx.$slots, "doc-footer-before", {}, null, _push, _parent);
        if (hasEditLink.value || hasLastUpdated.value) {
          _push(`<div class="edit-info" data-v-a99aec0d>`);
          if (hasEditLink.value) {
            _push(`<div class="edit-link" data-v-a99aec0d>`);
            _push(ssrRenderComponent_1(_sfc_main$Z, {
              class: "edit-link-button",
              href: vueExports.unref(editLink).url,
              "no-icon": true
            }, {
              default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
                if (_push2) {
                  _push2(`<span class="vpi-square-pen edit-link-icon" data-v-a99aec0d${_scopeId}></span> ${ssrInterpolate_1(vueExports.unref(editLink).text)}`);
                } else {
                  return [
                    vueExports.createVNode("span", { class: "vpi-square-pen edit-link-icon" }),
                    vueExports.createTextVNode(" " + vueExports.toDisplayString(vueExports.unref(editLink).text), 1)
                  ];
                }
              }),
              _: 1
            }, _parent));
            _push(`</div>`);
          } else {
            _push(`<!---->`);
          }
          if (hasLastUpdated.value) {
            _push(`<div class="last-updated" data-v-a99aec0d>`);
            _push(ssrRenderComponent_1(VPDocFooterLastUpdated, null, null, _parent));
            _push(`</div>`);
          } else {
            _push(`<!---->`);
          }
          _push(`</div>`);
        } else {
          _push(`<!---->`);
        }
        if (((_a = vueExports.unref(control).prev) == null ? void 0 : _a.link) || ((_b = vueExports.unref(control).next) == null ? void 0 : _b.link)) {
          _push(`<nav class="prev-next" aria-labelledby="doc-footer-aria-label" data-v-a99aec0d><span class="visually-hidden" id="doc-footer-aria-label" data-v-a99aec0d>Pager</span><div class="pager" data-v-a99aec0d>`);
          if ((_c = vueExports.unref(control).prev) == null ? void 0 : _c.link) {
            _push(ssrRenderComponent_1(_sfc_main$Z, {
              class: "pager-link prev",
              href: vueExports.unref(control).prev.link
            }, {
              default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
                var _a2, _b2;
                if (_push2) {
                  _push2(`<span class="desc" data-v-a99aec0d${_scopeId}>${(((_a2 = vueExports.unref(theme2).docFooter) == null ? void 0 : _a2.prev) || "Previous page") ?? ""}</span><span class="title" data-v-a99aec0d${_scopeId}>${vueExports.unref(control).prev.text ?? ""}</span>`);
                } else {
                  return [
                    vueExports.createVNode("span", {
                      class: "desc",
                      innerHTML: ((_b2 = vueExports.unref(theme2).docFooter) == null ? void 0 : _b2.prev) || "Previous page"
                    }, null, 8, ["innerHTML"]),
                    vueExports.createVNode("span", {
                      class: "title",
                      innerHTML: vueExports.unref(control).prev.text
                    }, null, 8, ["innerHTML"])
                  ];
                }
              }),
              _: 1
            }, _parent));
          } else {
            _push(`<!---->`);
          }
          _push(`</div><div class="pager" data-v-a99aec0d>`);
          if ((_d = vueExports.unref(control).next) == null ? void 0 : _d.link) {
            _push(ssrRenderComponent_1(_sfc_main$Z, {
              class: "pager-link next",
              href: vueExports.unref(control).next.link
            }, {
              default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
                var _a2, _b2;
                if (_push2) {
                  _push2(`<span class="desc" data-v-a99aec0d${_scopeId}>${(((_a2 = vueExports.unref(theme2).docFooter) == null ? void 0 : _a2.next) || "Next page") ?? ""}</span><span class="title" data-v-a99aec0d${_scopeId}>${vueExports.unref(control).next.text ?? ""}</span>`);
                } else {
                  return [
                    vueExports.createVNode("span", {
                      class: "desc",
                      innerHTML: ((_b2 = vueExports.unref(theme2).docFooter) == null ? void 0 : _b2.next) || "Next page"
                    }, null, 8, ["innerHTML"]),
                    vueExports.createVNode("span", {
                      class: "title",
                      innerHTML: vueExports.unref(control).next.text
                    }, null, 8, ["innerHTML"])
                  ];
                }
              }),
              _: 1
            }, _parent));
          } else {
            _push(`<!---->`);
          }
          _push(`</div></nav>`);
        } else {
          _push(`<!---->`);
        }
        _push(`</footer>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$X = _sfc_main$X.setup;
_sfc_main$X.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPDocFooter.vue");
  return _sfc_setup$X ? _sfc_setup$X(props, ctx) : void 0;
};
const VPDocFooter = /* @__PURE__ */ _export_sfc(_sfc_main$X, [["__scopeId", "data-v-a99aec0d"]]);
const _sfc_main$W = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPDoc",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2 } = useData();
    const route = useRoute();
    const { hasSidebar, hasAside, leftAside } = useSidebar();
    const pageName = vueExports.computed(
      () => route.path.replace(/[./]+/g, "_").replace(/_html$/, "")
    );
    return (_ctx, _push, _parent, _attrs) => {
      const _component_Content = vueExports.resolveComponent("Content");
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPDoc", { "has-sidebar": vueExports.unref(hasSidebar), "has-aside": vueExports.unref(hasAside) }]
      }, _attrs))} data-v-3afa5c5e>`);
      ssrRenderSlot_1(_ctx.$slots, "doc-top", {}, null, _push, _parent);
      _push(`<div class="container" data-v-3afa5c5e>`);
      if (vueExports.unref(hasAside)) {
        _push(`<div class="${ssrRenderClass_1([{ "left-aside": vueExports.unref(leftAside) }, "aside"])}" data-v-3afa5c5e><div class="aside-curtain" data-v-3afa5c5e></div><div class="aside-container" data-v-3afa5c5e><div class="aside-content" data-v-3afa5c5e>`);
        _push(ssrRenderComponent_1(VPDocAside, null, {
          "aside-top": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-top", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-top", {}, void 0, true)
              ];
            }
          }),
          "aside-bottom": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-bottom", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-bottom", {}, void 0, true)
              ];
            }
          }),
          "aside-outline-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-outline-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-outline-before", {}, void 0, true)
              ];
            }
          }),
          "aside-outline-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-outline-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-outline-after", {}, void 0, true)
              ];
            }
          }),
          "aside-ads-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-ads-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-ads-before", {}, void 0, true)
              ];
            }
          }),
          "aside-ads-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-ads-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-ads-after", {}, void 0, true)
              ];
            }
          }),
          _: 3
        }, _parent));
        _push(`</div></div></div>`);
      } else {
        _push(`<!---->`);
      }
      _push(`<div class="content" data-v-3afa5c5e><div class="content-container" data-v-3afa5c5e>`);
      ssrRenderSlot_1(_ctx.$slots, "doc-before", {}, null, _push, _parent);
      _push(`<main class="main" data-v-3afa5c5e>`);
      _push(ssrRenderComponent_1(_component_Content, {
        class: ["vp-doc", [
          pageName.value,
          vueExports.unref(theme2).externalLinkIcon && "external-link-icon-enabled"
        ]]
      }, null, _parent));
      _push(`</main>`);
      _push(ssrRenderComponent_1(VPDocFooter, null, {
        "doc-footer-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            ssrRenderSlot_1(_ctx.$slots, "doc-footer-before", {}, null, _push2, _parent2, _scopeId);
          } else {
            return [
              vueExports.renderSlot(_ctx.$slots, "doc-footer-before", {}, void 0, true)
            ];
          }
        }),
        _: 3
      }, _parent));
      ssrRenderSlot_1(_ctx.$slots, "doc-after", {}, null, _push, _parent);
      _push(`</div></div></div>`);
      ssrRenderSlot_1(_ctx.$slots, "doc-bottom", {}, null, _push, _parent);
      _push(`</div>`);
    };
  }
});
const _sfc_setup$W = _sfc_main$W.setup;
_sfc_main$W.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPDoc.vue");
  return _sfc_setup$W ? _sfc_setup$W(props, ctx) : void 0;
};
const VPDoc = /* @__PURE__ */ _export_sfc(_sfc_main$W, [["__scopeId", "data-v-3afa5c5e"]]);
const _sfc_main$V = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPButton",
  __ssrInlineRender: true,
  props: {
    tag: {},
    size: { default: "medium" },
    theme: { default: "brand" },
    text: {},
    href: {},
    target: {},
    rel: {}
  },
  setup(__props) {
    const props = __props;
    const isExternal2 = vueExports.computed(
      () => props.href && EXTERNAL_URL_RE.test(props.href)
    );
    const component = vueExports.computed(() => {
      return props.tag || (props.href ? "a" : "button");
    });
    return (_ctx, _push, _parent, _attrs) => {
      ssrRenderVNode(_push, vueExports.createVNode(vueExports.resolveDynamicComponent(component.value), vueExports.mergeProps({
        class: ["VPButton", [__props.size, __props.theme]],
        href: __props.href ? vueExports.unref(normalizeLink$1)(__props.href) : void 0,
        target: props.target ?? (isExternal2.value ? "_blank" : void 0),
        rel: props.rel ?? (isExternal2.value ? "noreferrer" : void 0)
      }, _attrs), {
        default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            _push2(`${ssrInterpolate_1(__props.text)}`);
          } else {
            return [
              vueExports.createTextVNode(vueExports.toDisplayString(__props.text), 1)
            ];
          }
        }),
        _: 1
      }), _parent);
    };
  }
});
const _sfc_setup$V = _sfc_main$V.setup;
_sfc_main$V.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPButton.vue");
  return _sfc_setup$V ? _sfc_setup$V(props, ctx) : void 0;
};
const VPButton = /* @__PURE__ */ _export_sfc(_sfc_main$V, [["__scopeId", "data-v-249fcba8"]]);
const _sfc_main$U = /* @__PURE__ */ vueExports.defineComponent({
  ...{ inheritAttrs: false },
  __name: "VPImage",
  __ssrInlineRender: true,
  props: {
    image: {},
    alt: {}
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      const _component_VPImage = vueExports.resolveComponent("VPImage", true);
      if (__props.image) {
        _push(`<!--[-->`);
        if (typeof __props.image === "string" || "src" in __props.image) {
          _push(`<img${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPImage" }, typeof __props.image === "string" ? _ctx.$attrs : { ...__props.image, ..._ctx.$attrs }, {
            src: vueExports.unref(withBase)(typeof __props.image === "string" ? __props.image : __props.image.src),
            alt: __props.alt ?? (typeof __props.image === "string" ? "" : __props.image.alt || "")
          }))} data-v-d4238164>`);
        } else {
          _push(`<!--[-->`);
          _push(ssrRenderComponent_1(_component_VPImage, vueExports.mergeProps({
            class: "dark",
            image: __props.image.dark,
            alt: __props.image.alt
          }, _ctx.$attrs), null, _parent));
          _push(ssrRenderComponent_1(_component_VPImage, vueExports.mergeProps({
            class: "light",
            image: __props.image.light,
            alt: __props.image.alt
          }, _ctx.$attrs), null, _parent));
          _push(`<!--]-->`);
        }
        _push(`<!--]-->`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$U = _sfc_main$U.setup;
_sfc_main$U.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPImage.vue");
  return _sfc_setup$U ? _sfc_setup$U(props, ctx) : void 0;
};
const VPImage = /* @__PURE__ */ _export_sfc(_sfc_main$U, [["__scopeId", "data-v-d4238164"]]);
const _sfc_main$T = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPHero",
  __ssrInlineRender: true,
  props: {
    name: {},
    text: {},
    tagline: {},
    image: {},
    actions: {}
  },
  setup(__props) {
    const heroImageSlotExists = vueExports.inject("hero-image-slot-exists");
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPHero", { "has-image": __props.image || vueExports.unref(heroImageSlotExists) }]
      }, _attrs))} data-v-598276cc><div class="container" data-v-598276cc><div class="main" data-v-598276cc>`);
      ssrRenderSlot_1(_ctx.$slots, "home-hero-info-before", {}, null, _push, _parent);
      ssrRenderSlot_1(_ctx.$slots, "home-hero-info", {}, () => {
        _push(`<h1 class="heading" data-v-598276cc>`);
        if (__props.name) {
          _push(`<span class="name clip" data-v-598276cc>${__props.name ?? ""}</span>`);
        } else {
          _push(`<!---->`);
        }
        if (__props.text) {
          _push(`<span class="text" data-v-598276cc>${__props.text ?? ""}</span>`);
        } else {
          _push(`<!---->`);
        }
        _push(`</h1>`);
        if (__props.tagline) {
          _push(`<p class="tagline" data-v-598276cc>${__props.tagline ?? ""}</p>`);
        } else {
          _push(`<!---->`);
        }
      }, _push, _parent);
      ssrRenderSlot_1(_ctx.$slots, "home-hero-info-after", {}, null, _push, _parent);
      if (__props.actions) {
        _push(`<div class="actions" data-v-598276cc><!--[-->`);
        ssrRenderList_1(__props.actions, (action) => {
          _push(`<div class="action" data-v-598276cc>`);
          _push(ssrRenderComponent_1(VPButton, {
            tag: "a",
            size: "medium",
            theme: action.theme,
            text: action.text,
            href: action.link,
            target: action.target,
            rel: action.rel
          }, null, _parent));
          _push(`</div>`);
        });
        _push(`<!--]--></div>`);
      } else {
        _push(`<!---->`);
      }
      ssrRenderSlot_1(_ctx.$slots, "home-hero-actions-after", {}, null, _push, _parent);
      _push(`</div>`);
      if (__props.image || vueExports.unref(heroImageSlotExists)) {
        _push(`<div class="image" data-v-598276cc><div class="image-container" data-v-598276cc><div class="image-bg" data-v-598276cc></div>`);
        ssrRenderSlot_1(_ctx.$slots, "home-hero-image", {}, () => {
          if (__props.image) {
            _push(ssrRenderComponent_1(VPImage, {
              class: "image-src",
              image: __props.image
            }, null, _parent));
          } else {
            _push(`<!---->`);
          }
        }, _push, _parent);
        _push(`</div></div>`);
      } else {
        _push(`<!---->`);
      }
      _push(`</div></div>`);
    };
  }
});
const _sfc_setup$T = _sfc_main$T.setup;
_sfc_main$T.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPHero.vue");
  return _sfc_setup$T ? _sfc_setup$T(props, ctx) : void 0;
};
const VPHero = /* @__PURE__ */ _export_sfc(_sfc_main$T, [["__scopeId", "data-v-598276cc"]]);
const _sfc_main$S = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPHomeHero",
  __ssrInlineRender: true,
  setup(__props) {
    const { frontmatter: fm } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(fm).hero) {
        _push(ssrRenderComponent_1(VPHero, vueExports.mergeProps({
          class: "VPHomeHero",
          name: vueExports.unref(fm).hero.name,
          text: vueExports.unref(fm).hero.text,
          tagline: vueExports.unref(fm).hero.tagline,
          image: vueExports.unref(fm).hero.image,
          actions: vueExports.unref(fm).hero.actions
        }, _attrs), {
          "home-hero-info-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-info-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-info-before")
              ];
            }
          }),
          "home-hero-info": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-info", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-info")
              ];
            }
          }),
          "home-hero-info-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-info-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-info-after")
              ];
            }
          }),
          "home-hero-actions-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-actions-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-actions-after")
              ];
            }
          }),
          "home-hero-image": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-image", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-image")
              ];
            }
          }),
          _: 3
        }, _parent));
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$S = _sfc_main$S.setup;
_sfc_main$S.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPHomeHero.vue");
  return _sfc_setup$S ? _sfc_setup$S(props, ctx) : void 0;
};
const _sfc_main$R = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPFeature",
  __ssrInlineRender: true,
  props: {
    icon: {},
    title: {},
    details: {},
    link: {},
    linkText: {},
    rel: {},
    target: {}
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      _push(ssrRenderComponent_1(_sfc_main$Z, vueExports.mergeProps({
        class: "VPFeature",
        href: __props.link,
        rel: __props.rel,
        target: __props.target,
        "no-icon": true,
        tag: __props.link ? "a" : "div"
      }, _attrs), {
        default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            _push2(`<article class="box" data-v-4f2d1afd${_scopeId}>`);
            if (typeof __props.icon === "object" && __props.icon.wrap) {
              _push2(`<div class="icon" data-v-4f2d1afd${_scopeId}>`);
              _push2(ssrRenderComponent_1(VPImage, {
                image: __props.icon,
                alt: __props.icon.alt,
                height: __props.icon.height || 48,
                width: __props.icon.width || 48
              }, null, _parent2, _scopeId));
              _push2(`</div>`);
            } else if (typeof __props.icon === "object") {
              _push2(ssrRenderComponent_1(VPImage, {
                image: __props.icon,
                alt: __props.icon.alt,
                height: __props.icon.height || 48,
                width: __props.icon.width || 48
              }, null, _parent2, _scopeId));
            } else if (__props.icon) {
              _push2(`<div class="icon" data-v-4f2d1afd${_scopeId}>${__props.icon ?? ""}</div>`);
            } else {
              _push2(`<!---->`);
            }
            _push2(`<h2 class="title" data-v-4f2d1afd${_scopeId}>${__props.title ?? ""}</h2>`);
            if (__props.details) {
              _push2(`<p class="details" data-v-4f2d1afd${_scopeId}>${__props.details ?? ""}</p>`);
            } else {
              _push2(`<!---->`);
            }
            if (__props.linkText) {
              _push2(`<div class="link-text" data-v-4f2d1afd${_scopeId}><p class="link-text-value" data-v-4f2d1afd${_scopeId}>${ssrInterpolate_1(__props.linkText)} <span class="vpi-arrow-right link-text-icon" data-v-4f2d1afd${_scopeId}></span></p></div>`);
            } else {
              _push2(`<!---->`);
            }
            _push2(`</article>`);
          } else {
            return [
              vueExports.createVNode("article", { class: "box" }, [
                typeof __props.icon === "object" && __props.icon.wrap ? (vueExports.openBlock(), vueExports.createBlock("div", {
                  key: 0,
                  class: "icon"
                }, [
                  vueExports.createVNode(VPImage, {
                    image: __props.icon,
                    alt: __props.icon.alt,
                    height: __props.icon.height || 48,
                    width: __props.icon.width || 48
                  }, null, 8, ["image", "alt", "height", "width"])
                ])) : typeof __props.icon === "object" ? (vueExports.openBlock(), vueExports.createBlock(VPImage, {
                  key: 1,
                  image: __props.icon,
                  alt: __props.icon.alt,
                  height: __props.icon.height || 48,
                  width: __props.icon.width || 48
                }, null, 8, ["image", "alt", "height", "width"])) : __props.icon ? (vueExports.openBlock(), vueExports.createBlock("div", {
                  key: 2,
                  class: "icon",
                  innerHTML: __props.icon
                }, null, 8, ["innerHTML"])) : vueExports.createCommentVNode("", true),
                vueExports.createVNode("h2", {
                  class: "title",
                  innerHTML: __props.title
                }, null, 8, ["innerHTML"]),
                __props.details ? (vueExports.openBlock(), vueExports.createBlock("p", {
                  key: 3,
                  class: "details",
                  innerHTML: __props.details
                }, null, 8, ["innerHTML"])) : vueExports.createCommentVNode("", true),
                __props.linkText ? (vueExports.openBlock(), vueExports.createBlock("div", {
                  key: 4,
                  class: "link-text"
                }, [
                  vueExports.createVNode("p", { class: "link-text-value" }, [
                    vueExports.createTextVNode(vueExports.toDisplayString(__props.linkText) + " ", 1),
                    vueExports.createVNode("span", { class: "vpi-arrow-right link-text-icon" })
                  ])
                ])) : vueExports.createCommentVNode("", true)
              ])
            ];
          }
        }),
        _: 1
      }, _parent));
    };
  }
});
const _sfc_setup$R = _sfc_main$R.setup;
_sfc_main$R.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPFeature.vue");
  return _sfc_setup$R ? _sfc_setup$R(props, ctx) : void 0;
};
const VPFeature = /* @__PURE__ */ _export_sfc(_sfc_main$R, [["__scopeId", "data-v-4f2d1afd"]]);
const _sfc_main$Q = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPFeatures",
  __ssrInlineRender: true,
  props: {
    features: {}
  },
  setup(__props) {
    const props = __props;
    const grid = vueExports.computed(() => {
      const length = props.features.length;
      if (!length) {
        return;
      } else if (length === 2) {
        return "grid-2";
      } else if (length === 3) {
        return "grid-3";
      } else if (length % 3 === 0) {
        return "grid-6";
      } else if (length > 3) {
        return "grid-4";
      }
    });
    return (_ctx, _push, _parent, _attrs) => {
      if (__props.features) {
        _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPFeatures" }, _attrs))} data-v-c4b72f71><div class="container" data-v-c4b72f71><div class="items" data-v-c4b72f71><!--[-->`);
        ssrRenderList_1(__props.features, (feature) => {
          _push(`<div class="${ssrRenderClass_1([[grid.value], "item"])}" data-v-c4b72f71>`);
          _push(ssrRenderComponent_1(VPFeature, {
            icon: feature.icon,
            title: feature.title,
            details: feature.details,
            link: feature.link,
            "link-text": feature.linkText,
            rel: feature.rel,
            target: feature.target
          }, null, _parent));
          _push(`</div>`);
        });
        _push(`<!--]--></div></div></div>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$Q = _sfc_main$Q.setup;
_sfc_main$Q.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPFeatures.vue");
  return _sfc_setup$Q ? _sfc_setup$Q(props, ctx) : void 0;
};
const VPFeatures = /* @__PURE__ */ _export_sfc(_sfc_main$Q, [["__scopeId", "data-v-c4b72f71"]]);
const _sfc_main$P = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPHomeFeatures",
  __ssrInlineRender: true,
  setup(__props) {
    const { frontmatter: fm } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(fm).features) {
        _push(ssrRenderComponent_1(VPFeatures, vueExports.mergeProps({
          class: "VPHomeFeatures",
          features: vueExports.unref(fm).features
        }, _attrs), null, _parent));
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$P = _sfc_main$P.setup;
_sfc_main$P.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPHomeFeatures.vue");
  return _sfc_setup$P ? _sfc_setup$P(props, ctx) : void 0;
};
const _sfc_main$O = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPHomeContent",
  __ssrInlineRender: true,
  setup(__props) {
    const { width: vw } = useWindowSize({
      initialWidth: 0,
      includeScrollbar: false
    });
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: "vp-doc container",
        style: vueExports.unref(vw) ? { "--vp-offset": `calc(50% - ${vueExports.unref(vw) / 2}px)` } : {}
      }, _attrs))} data-v-ca5843fb>`);
      ssrRenderSlot_1(_ctx.$slots, "default", {}, null, _push, _parent);
      _push(`</div>`);
    };
  }
});
const _sfc_setup$O = _sfc_main$O.setup;
_sfc_main$O.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPHomeContent.vue");
  return _sfc_setup$O ? _sfc_setup$O(props, ctx) : void 0;
};
const VPHomeContent = /* @__PURE__ */ _export_sfc(_sfc_main$O, [["__scopeId", "data-v-ca5843fb"]]);
const _sfc_main$N = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPHome",
  __ssrInlineRender: true,
  setup(__props) {
    const { frontmatter, theme: theme2 } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      const _component_Content = vueExports.resolveComponent("Content");
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPHome", {
          "external-link-icon-enabled": vueExports.unref(theme2).externalLinkIcon
        }]
      }, _attrs))} data-v-bcaa5d59>`);
      ssrRenderSlot_1(_ctx.$slots, "home-hero-before", {}, null, _push, _parent);
      _push(ssrRenderComponent_1(_sfc_main$S, null, {
        "home-hero-info-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            ssrRenderSlot_1(_ctx.$slots, "home-hero-info-before", {}, null, _push2, _parent2, _scopeId);
          } else {
            return [
              vueExports.renderSlot(_ctx.$slots, "home-hero-info-before", {}, void 0, true)
            ];
          }
        }),
        "home-hero-info": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            ssrRenderSlot_1(_ctx.$slots, "home-hero-info", {}, null, _push2, _parent2, _scopeId);
          } else {
            return [
              vueExports.renderSlot(_ctx.$slots, "home-hero-info", {}, void 0, true)
            ];
          }
        }),
        "home-hero-info-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            ssrRenderSlot_1(_ctx.$slots, "home-hero-info-after", {}, null, _push2, _parent2, _scopeId);
          } else {
            return [
              vueExports.renderSlot(_ctx.$slots, "home-hero-info-after", {}, void 0, true)
            ];
          }
        }),
        "home-hero-actions-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            ssrRenderSlot_1(_ctx.$slots, "home-hero-actions-after", {}, null, _push2, _parent2, _scopeId);
          } else {
            return [
              vueExports.renderSlot(_ctx.$slots, "home-hero-actions-after", {}, void 0, true)
            ];
          }
        }),
        "home-hero-image": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            ssrRenderSlot_1(_ctx.$slots, "home-hero-image", {}, null, _push2, _parent2, _scopeId);
          } else {
            return [
              vueExports.renderSlot(_ctx.$slots, "home-hero-image", {}, void 0, true)
            ];
          }
        }),
        _: 3
      }, _parent));
      ssrRenderSlot_1(_ctx.$slots, "home-hero-after", {}, null, _push, _parent);
      ssrRenderSlot_1(_ctx.$slots, "home-features-before", {}, null, _push, _parent);
      _push(ssrRenderComponent_1(_sfc_main$P, null, null, _parent));
      ssrRenderSlot_1(_ctx.$slots, "home-features-after", {}, null, _push, _parent);
      if (vueExports.unref(frontmatter).markdownStyles !== false) {
        _push(ssrRenderComponent_1(VPHomeContent, null, {
          default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              _push2(ssrRenderComponent_1(_component_Content, null, null, _parent2, _scopeId));
            } else {
              return [
                vueExports.createVNode(_component_Content)
              ];
            }
          }),
          _: 1
        }, _parent));
      } else {
        _push(ssrRenderComponent_1(_component_Content, null, null, _parent));
      }
      _push(`</div>`);
    };
  }
});
const _sfc_setup$N = _sfc_main$N.setup;
_sfc_main$N.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPHome.vue");
  return _sfc_setup$N ? _sfc_setup$N(props, ctx) : void 0;
};
const VPHome = /* @__PURE__ */ _export_sfc(_sfc_main$N, [["__scopeId", "data-v-bcaa5d59"]]);
const _sfc_main$M = {};
function _sfc_ssrRender$1(_ctx, _push, _parent, _attrs) {
  const _component_Content = vueExports.resolveComponent("Content");
  _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPPage" }, _attrs))}>`);
  ssrRenderSlot_1(_ctx.$slots, "page-top", {}, null, _push, _parent);
  _push(ssrRenderComponent_1(_component_Content, null, null, _parent));
  ssrRenderSlot_1(_ctx.$slots, "page-bottom", {}, null, _push, _parent);
  _push(`</div>`);
}
const _sfc_setup$M = _sfc_main$M.setup;
_sfc_main$M.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPPage.vue");
  return _sfc_setup$M ? _sfc_setup$M(props, ctx) : void 0;
};
const VPPage = /* @__PURE__ */ _export_sfc(_sfc_main$M, [["ssrRender", _sfc_ssrRender$1]]);
const _sfc_main$L = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPContent",
  __ssrInlineRender: true,
  setup(__props) {
    const { page, frontmatter } = useData();
    const { hasSidebar } = useSidebar();
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPContent", {
          "has-sidebar": vueExports.unref(hasSidebar),
          "is-home": vueExports.unref(frontmatter).layout === "home"
        }],
        id: "VPContent"
      }, _attrs))} data-v-de6aa2ec>`);
      if (vueExports.unref(page).isNotFound) {
        ssrRenderSlot_1(_ctx.$slots, "not-found", {}, () => {
          _push(ssrRenderComponent_1(NotFound, null, null, _parent));
        }, _push, _parent);
      } else if (vueExports.unref(frontmatter).layout === "page") {
        _push(ssrRenderComponent_1(VPPage, null, {
          "page-top": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "page-top", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "page-top", {}, void 0, true)
              ];
            }
          }),
          "page-bottom": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "page-bottom", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "page-bottom", {}, void 0, true)
              ];
            }
          }),
          _: 3
        }, _parent));
      } else if (vueExports.unref(frontmatter).layout === "home") {
        _push(ssrRenderComponent_1(VPHome, null, {
          "home-hero-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-before", {}, void 0, true)
              ];
            }
          }),
          "home-hero-info-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-info-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-info-before", {}, void 0, true)
              ];
            }
          }),
          "home-hero-info": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-info", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-info", {}, void 0, true)
              ];
            }
          }),
          "home-hero-info-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-info-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-info-after", {}, void 0, true)
              ];
            }
          }),
          "home-hero-actions-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-actions-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-actions-after", {}, void 0, true)
              ];
            }
          }),
          "home-hero-image": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-image", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-image", {}, void 0, true)
              ];
            }
          }),
          "home-hero-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-after", {}, void 0, true)
              ];
            }
          }),
          "home-features-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-features-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-features-before", {}, void 0, true)
              ];
            }
          }),
          "home-features-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-features-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-features-after", {}, void 0, true)
              ];
            }
          }),
          _: 3
        }, _parent));
      } else if (vueExports.unref(frontmatter).layout && vueExports.unref(frontmatter).layout !== "doc") {
        ssrRenderVNode(_push, vueExports.createVNode(vueExports.resolveDynamicComponent(vueExports.unref(frontmatter).layout), null, null), _parent);
      } else {
        _push(ssrRenderComponent_1(VPDoc, null, {
          "doc-top": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "doc-top", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "doc-top", {}, void 0, true)
              ];
            }
          }),
          "doc-bottom": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "doc-bottom", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "doc-bottom", {}, void 0, true)
              ];
            }
          }),
          "doc-footer-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "doc-footer-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "doc-footer-before", {}, void 0, true)
              ];
            }
          }),
          "doc-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "doc-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "doc-before", {}, void 0, true)
              ];
            }
          }),
          "doc-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "doc-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "doc-after", {}, void 0, true)
              ];
            }
          }),
          "aside-top": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-top", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-top", {}, void 0, true)
              ];
            }
          }),
          "aside-outline-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-outline-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-outline-before", {}, void 0, true)
              ];
            }
          }),
          "aside-outline-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-outline-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-outline-after", {}, void 0, true)
              ];
            }
          }),
          "aside-ads-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-ads-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-ads-before", {}, void 0, true)
              ];
            }
          }),
          "aside-ads-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-ads-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-ads-after", {}, void 0, true)
              ];
            }
          }),
          "aside-bottom": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-bottom", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-bottom", {}, void 0, true)
              ];
            }
          }),
          _: 3
        }, _parent));
      }
      _push(`</div>`);
    };
  }
});
const _sfc_setup$L = _sfc_main$L.setup;
_sfc_main$L.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPContent.vue");
  return _sfc_setup$L ? _sfc_setup$L(props, ctx) : void 0;
};
const VPContent = /* @__PURE__ */ _export_sfc(_sfc_main$L, [["__scopeId", "data-v-de6aa2ec"]]);
const _sfc_main$K = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPFooter",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2, frontmatter } = useData();
    const { hasSidebar } = useSidebar();
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(theme2).footer && vueExports.unref(frontmatter).footer !== false) {
        _push(`<footer${ssrRenderAttrs_1(vueExports.mergeProps({
          class: ["VPFooter", { "has-sidebar": vueExports.unref(hasSidebar) }]
        }, _attrs))} data-v-4a500387><div class="container" data-v-4a500387>`);
        if (vueExports.unref(theme2).footer.message) {
          _push(`<p class="message" data-v-4a500387>${vueExports.unref(theme2).footer.message ?? ""}</p>`);
        } else {
          _push(`<!---->`);
        }
        if (vueExports.unref(theme2).footer.copyright) {
          _push(`<p class="copyright" data-v-4a500387>${vueExports.unref(theme2).footer.copyright ?? ""}</p>`);
        } else {
          _push(`<!---->`);
        }
        _push(`</div></footer>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$K = _sfc_main$K.setup;
_sfc_main$K.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPFooter.vue");
  return _sfc_setup$K ? _sfc_setup$K(props, ctx) : void 0;
};
const VPFooter = /* @__PURE__ */ _export_sfc(_sfc_main$K, [["__scopeId", "data-v-4a500387"]]);
function useLocalNav() {
  const { theme: theme2, frontmatter } = useData();
  const headers = vueExports.shallowRef([]);
  const hasLocalNav = vueExports.computed(() => {
    return headers.value.length > 0;
  });
  onContentUpdated(() => {
    headers.value = getHeaders(frontmatter.value.outline ?? theme2.value.outline);
  });
  return {
    headers,
    hasLocalNav
  };
}
const _sfc_main$J = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPLocalNavOutlineDropdown",
  __ssrInlineRender: true,
  props: {
    headers: {},
    navHeight: {}
  },
  setup(__props) {
    const { theme: theme2 } = useData();
    const open = vueExports.ref(false);
    const vh = vueExports.ref(0);
    const main = vueExports.ref();
    vueExports.ref();
    function closeOnClickOutside(e) {
      var _a;
      if (!((_a = main.value) == null ? void 0 : _a.contains(e.target))) {
        open.value = false;
      }
    }
    vueExports.watch(open, (value) => {
      if (value) {
        document.addEventListener("click", closeOnClickOutside);
        return;
      }
      document.removeEventListener("click", closeOnClickOutside);
    });
    onKeyStroke("Escape", () => {
      open.value = false;
    });
    onContentUpdated(() => {
      open.value = false;
    });
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: "VPLocalNavOutlineDropdown",
        style: { "--vp-vh": vh.value + "px" },
        ref_key: "main",
        ref: main
      }, _attrs))} data-v-0da3935b>`);
      if (__props.headers.length > 0) {
        _push(`<button class="${ssrRenderClass_1({ open: open.value })}" data-v-0da3935b><span class="menu-text" data-v-0da3935b>${ssrInterpolate_1(vueExports.unref(resolveTitle)(vueExports.unref(theme2)))}</span><span class="vpi-chevron-right icon" data-v-0da3935b></span></button>`);
      } else {
        _push(`<button data-v-0da3935b>${ssrInterpolate_1(vueExports.unref(theme2).returnToTopLabel || "Return to top")}</button>`);
      }
      if (open.value) {
        _push(`<div class="items" data-v-0da3935b><div class="header" data-v-0da3935b><a class="top-link" href="#" data-v-0da3935b>${ssrInterpolate_1(vueExports.unref(theme2).returnToTopLabel || "Return to top")}</a></div><div class="outline" data-v-0da3935b>`);
        _push(ssrRenderComponent_1(VPDocOutlineItem, { headers: __props.headers }, null, _parent));
        _push(`</div></div>`);
      } else {
        _push(`<!---->`);
      }
      _push(`</div>`);
    };
  }
});
const _sfc_setup$J = _sfc_main$J.setup;
_sfc_main$J.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPLocalNavOutlineDropdown.vue");
  return _sfc_setup$J ? _sfc_setup$J(props, ctx) : void 0;
};
const VPLocalNavOutlineDropdown = /* @__PURE__ */ _export_sfc(_sfc_main$J, [["__scopeId", "data-v-0da3935b"]]);
const _sfc_main$I = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPLocalNav",
  __ssrInlineRender: true,
  props: {
    open: { type: Boolean }
  },
  emits: ["open-menu"],
  setup(__props) {
    const { theme: theme2, frontmatter } = useData();
    const { hasSidebar } = useSidebar();
    const { headers } = useLocalNav();
    const { y } = useWindowScroll();
    const navHeight = vueExports.ref(0);
    vueExports.onMounted(() => {
      navHeight.value = parseInt(
        getComputedStyle(document.documentElement).getPropertyValue(
          "--vp-nav-height"
        )
      );
    });
    onContentUpdated(() => {
      headers.value = getHeaders(frontmatter.value.outline ?? theme2.value.outline);
    });
    const empty = vueExports.computed(() => {
      return headers.value.length === 0;
    });
    const emptyAndNoSidebar = vueExports.computed(() => {
      return empty.value && !hasSidebar.value;
    });
    const classes = vueExports.computed(() => {
      return {
        VPLocalNav: true,
        "has-sidebar": hasSidebar.value,
        empty: empty.value,
        fixed: emptyAndNoSidebar.value
      };
    });
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(frontmatter).layout !== "home" && (!emptyAndNoSidebar.value || vueExports.unref(y) >= navHeight.value)) {
        _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: classes.value }, _attrs))} data-v-1d07cab4><div class="container" data-v-1d07cab4>`);
        if (vueExports.unref(hasSidebar)) {
          _push(`<button class="menu"${ssrRenderAttr_1("aria-expanded", __props.open)} aria-controls="VPSidebarNav" data-v-1d07cab4><span class="vpi-align-left menu-icon" data-v-1d07cab4></span><span class="menu-text" data-v-1d07cab4>${ssrInterpolate_1(vueExports.unref(theme2).sidebarMenuLabel || "Menu")}</span></button>`);
        } else {
          _push(`<!---->`);
        }
        _push(ssrRenderComponent_1(VPLocalNavOutlineDropdown, {
          headers: vueExports.unref(headers),
          navHeight: navHeight.value
        }, null, _parent));
        _push(`</div></div>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$I = _sfc_main$I.setup;
_sfc_main$I.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPLocalNav.vue");
  return _sfc_setup$I ? _sfc_setup$I(props, ctx) : void 0;
};
const VPLocalNav = /* @__PURE__ */ _export_sfc(_sfc_main$I, [["__scopeId", "data-v-1d07cab4"]]);
function useNav() {
  const isScreenOpen = vueExports.ref(false);
  function openScreen() {
    isScreenOpen.value = true;
    window.addEventListener("resize", closeScreenOnTabletWindow);
  }
  function closeScreen() {
    isScreenOpen.value = false;
    window.removeEventListener("resize", closeScreenOnTabletWindow);
  }
  function toggleScreen() {
    isScreenOpen.value ? closeScreen() : openScreen();
  }
  function closeScreenOnTabletWindow() {
    window.outerWidth >= 768 && closeScreen();
  }
  const route = useRoute();
  vueExports.watch(() => route.path, closeScreen);
  return {
    isScreenOpen,
    openScreen,
    closeScreen,
    toggleScreen
  };
}
const _sfc_main$H = {};
function _sfc_ssrRender(_ctx, _push, _parent, _attrs) {
  _push(`<button${ssrRenderAttrs_1(vueExports.mergeProps({
    class: "VPSwitch",
    type: "button",
    role: "switch"
  }, _attrs))} data-v-4aa853a5><span class="check" data-v-4aa853a5>`);
  if (_ctx.$slots.default) {
    _push(`<span class="icon" data-v-4aa853a5>`);
    ssrRenderSlot_1(_ctx.$slots, "default", {}, null, _push, _parent);
    _push(`</span>`);
  } else {
    _push(`<!---->`);
  }
  _push(`</span></button>`);
}
const _sfc_setup$H = _sfc_main$H.setup;
_sfc_main$H.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPSwitch.vue");
  return _sfc_setup$H ? _sfc_setup$H(props, ctx) : void 0;
};
const VPSwitch = /* @__PURE__ */ _export_sfc(_sfc_main$H, [["ssrRender", _sfc_ssrRender], ["__scopeId", "data-v-4aa853a5"]]);
const _sfc_main$G = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPSwitchAppearance",
  __ssrInlineRender: true,
  setup(__props) {
    const { isDark, theme: theme2 } = useData();
    const toggleAppearance = vueExports.inject("toggle-appearance", () => {
      isDark.value = !isDark.value;
    });
    const switchTitle = vueExports.ref("");
    vueExports.watchPostEffect(() => {
      switchTitle.value = isDark.value ? theme2.value.lightModeSwitchTitle || "Switch to light theme" : theme2.value.darkModeSwitchTitle || "Switch to dark theme";
    });
    return (_ctx, _push, _parent, _attrs) => {
      _push(ssrRenderComponent_1(VPSwitch, vueExports.mergeProps({
        title: switchTitle.value,
        class: "VPSwitchAppearance",
        "aria-checked": vueExports.unref(isDark),
        onClick: vueExports.unref(toggleAppearance)
      }, _attrs), {
        default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            _push2(`<span class="vpi-sun sun" data-v-08a4623f${_scopeId}></span><span class="vpi-moon moon" data-v-08a4623f${_scopeId}></span>`);
          } else {
            return [
              vueExports.createVNode("span", { class: "vpi-sun sun" }),
              vueExports.createVNode("span", { class: "vpi-moon moon" })
            ];
          }
        }),
        _: 1
      }, _parent));
    };
  }
});
const _sfc_setup$G = _sfc_main$G.setup;
_sfc_main$G.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPSwitchAppearance.vue");
  return _sfc_setup$G ? _sfc_setup$G(props, ctx) : void 0;
};
const VPSwitchAppearance = /* @__PURE__ */ _export_sfc(_sfc_main$G, [["__scopeId", "data-v-08a4623f"]]);
const _sfc_main$F = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBarAppearance",
  __ssrInlineRender: true,
  setup(__props) {
    const { site } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(site).appearance && vueExports.unref(site).appearance !== "force-dark" && vueExports.unref(site).appearance !== "force-auto") {
        _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPNavBarAppearance" }, _attrs))} data-v-d044f95c>`);
        _push(ssrRenderComponent_1(VPSwitchAppearance, null, null, _parent));
        _push(`</div>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$F = _sfc_main$F.setup;
_sfc_main$F.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBarAppearance.vue");
  return _sfc_setup$F ? _sfc_setup$F(props, ctx) : void 0;
};
const VPNavBarAppearance = /* @__PURE__ */ _export_sfc(_sfc_main$F, [["__scopeId", "data-v-d044f95c"]]);
const focusedElement = vueExports.ref();
let active = false;
let listeners = 0;
function useFlyout(options) {
  const focus = vueExports.ref(false);
  if (inBrowser) {
    !active && activateFocusTracking();
    listeners++;
    const unwatch = vueExports.watch(focusedElement, (el) => {
      var _a, _b, _c;
      if (el === options.el.value || ((_a = options.el.value) == null ? void 0 : _a.contains(el))) {
        focus.value = true;
        (_b = options.onFocus) == null ? void 0 : _b.call(options);
      } else {
        focus.value = false;
        (_c = options.onBlur) == null ? void 0 : _c.call(options);
      }
    });
    vueExports.onUnmounted(() => {
      unwatch();
      listeners--;
      if (!listeners) {
        deactivateFocusTracking();
      }
    });
  }
  return vueExports.readonly(focus);
}
function activateFocusTracking() {
  document.addEventListener("focusin", handleFocusIn);
  active = true;
  focusedElement.value = document.activeElement;
}
function deactivateFocusTracking() {
  document.removeEventListener("focusin", handleFocusIn);
}
function handleFocusIn() {
  focusedElement.value = document.activeElement;
}
const _sfc_main$E = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPMenuLink",
  __ssrInlineRender: true,
  props: {
    item: {}
  },
  setup(__props) {
    const { page } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPMenuLink" }, _attrs))} data-v-6b69dd9e>`);
      _push(ssrRenderComponent_1(_sfc_main$Z, {
        class: {
          active: vueExports.unref(isActive)(
            vueExports.unref(page).relativePath,
            __props.item.activeMatch || __props.item.link,
            !!__props.item.activeMatch
          )
        },
        href: __props.item.link,
        target: __props.item.target,
        rel: __props.item.rel,
        "no-icon": __props.item.noIcon
      }, {
        default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            _push2(`<span data-v-6b69dd9e${_scopeId}>${__props.item.text ?? ""}</span>`);
          } else {
            return [
              vueExports.createVNode("span", {
                innerHTML: __props.item.text
              }, null, 8, ["innerHTML"])
            ];
          }
        }),
        _: 1
      }, _parent));
      _push(`</div>`);
    };
  }
});
const _sfc_setup$E = _sfc_main$E.setup;
_sfc_main$E.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPMenuLink.vue");
  return _sfc_setup$E ? _sfc_setup$E(props, ctx) : void 0;
};
const VPMenuLink = /* @__PURE__ */ _export_sfc(_sfc_main$E, [["__scopeId", "data-v-6b69dd9e"]]);
const _sfc_main$D = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPMenuGroup",
  __ssrInlineRender: true,
  props: {
    text: {},
    items: {}
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPMenuGroup" }, _attrs))} data-v-49af61c6>`);
      if (__props.text) {
        _push(`<p class="title" data-v-49af61c6>${ssrInterpolate_1(__props.text)}</p>`);
      } else {
        _push(`<!---->`);
      }
      _push(`<!--[-->`);
      ssrRenderList_1(__props.items, (item) => {
        _push(`<!--[-->`);
        if ("link" in item) {
          _push(ssrRenderComponent_1(VPMenuLink, { item }, null, _parent));
        } else {
          _push(`<!---->`);
        }
        _push(`<!--]-->`);
      });
      _push(`<!--]--></div>`);
    };
  }
});
const _sfc_setup$D = _sfc_main$D.setup;
_sfc_main$D.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPMenuGroup.vue");
  return _sfc_setup$D ? _sfc_setup$D(props, ctx) : void 0;
};
const VPMenuGroup = /* @__PURE__ */ _export_sfc(_sfc_main$D, [["__scopeId", "data-v-49af61c6"]]);
const _sfc_main$C = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPMenu",
  __ssrInlineRender: true,
  props: {
    items: {}
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPMenu" }, _attrs))} data-v-90a86772>`);
      if (__props.items) {
        _push(`<div class="items" data-v-90a86772><!--[-->`);
        ssrRenderList_1(__props.items, (item) => {
          _push(`<!--[-->`);
          if ("link" in item) {
            _push(ssrRenderComponent_1(VPMenuLink, { item }, null, _parent));
          } else if ("component" in item) {
            ssrRenderVNode(_push, vueExports.createVNode(vueExports.resolveDynamicComponent(item.component), vueExports.mergeProps({ ref_for: true }, item.props), null), _parent);
          } else {
            _push(ssrRenderComponent_1(VPMenuGroup, {
              text: item.text,
              items: item.items
            }, null, _parent));
          }
          _push(`<!--]-->`);
        });
        _push(`<!--]--></div>`);
      } else {
        _push(`<!---->`);
      }
      ssrRenderSlot_1(_ctx.$slots, "default", {}, null, _push, _parent);
      _push(`</div>`);
    };
  }
});
const _sfc_setup$C = _sfc_main$C.setup;
_sfc_main$C.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPMenu.vue");
  return _sfc_setup$C ? _sfc_setup$C(props, ctx) : void 0;
};
const VPMenu = /* @__PURE__ */ _export_sfc(_sfc_main$C, [["__scopeId", "data-v-90a86772"]]);
const _sfc_main$B = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPFlyout",
  __ssrInlineRender: true,
  props: {
    icon: {},
    button: {},
    label: {},
    items: {}
  },
  setup(__props) {
    const open = vueExports.ref(false);
    const el = vueExports.ref();
    useFlyout({ el, onBlur });
    function onBlur() {
      open.value = false;
    }
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: "VPFlyout",
        ref_key: "el",
        ref: el
      }, _attrs))} data-v-adb45f57><button type="button" class="button" aria-haspopup="true"${ssrRenderAttr_1("aria-expanded", open.value)}${ssrRenderAttr_1("aria-label", __props.label)} data-v-adb45f57>`);
      if (__props.button || __props.icon) {
        _push(`<span class="text" data-v-adb45f57>`);
        if (__props.icon) {
          _push(`<span class="${ssrRenderClass_1([__props.icon, "option-icon"])}" data-v-adb45f57></span>`);
        } else {
          _push(`<!---->`);
        }
        if (__props.button) {
          _push(`<span data-v-adb45f57>${__props.button ?? ""}</span>`);
        } else {
          _push(`<!---->`);
        }
        _push(`<span class="vpi-chevron-down text-icon" data-v-adb45f57></span></span>`);
      } else {
        _push(`<span class="vpi-more-horizontal icon" data-v-adb45f57></span>`);
      }
      _push(`</button><div class="menu" data-v-adb45f57>`);
      _push(ssrRenderComponent_1(VPMenu, { items: __props.items }, {
        default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            ssrRenderSlot_1(_ctx.$slots, "default", {}, null, _push2, _parent2, _scopeId);
          } else {
            return [
              vueExports.renderSlot(_ctx.$slots, "default", {}, void 0, true)
            ];
          }
        }),
        _: 3
      }, _parent));
      _push(`</div></div>`);
    };
  }
});
const _sfc_setup$B = _sfc_main$B.setup;
_sfc_main$B.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPFlyout.vue");
  return _sfc_setup$B ? _sfc_setup$B(props, ctx) : void 0;
};
const VPFlyout = /* @__PURE__ */ _export_sfc(_sfc_main$B, [["__scopeId", "data-v-adb45f57"]]);
const _sfc_main$A = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPSocialLink",
  __ssrInlineRender: true,
  props: {
    icon: {},
    link: {},
    ariaLabel: {}
  },
  setup(__props) {
    var _a;
    const props = __props;
    const el = vueExports.ref();
    vueExports.onMounted(async () => {
      var _a2;
      await vueExports.nextTick();
      const span = (_a2 = el.value) == null ? void 0 : _a2.children[0];
      if (span instanceof HTMLElement && span.className.startsWith("vpi-social-") && (getComputedStyle(span).maskImage || getComputedStyle(span).webkitMaskImage) === "none") {
        span.style.setProperty(
          "--icon",
          `url('https://api.iconify.design/simple-icons/${props.icon}.svg')`
        );
      }
    });
    const svg = vueExports.computed(() => {
      if (typeof props.icon === "object") return props.icon.svg;
      return `<span class="vpi-social-${props.icon}"></span>`;
    });
    {
      typeof props.icon === "string" && ((_a = vueExports.useSSRContext()) == null ? void 0 : _a.vpSocialIcons.add(props.icon));
    }
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<a${ssrRenderAttrs_1(vueExports.mergeProps({
        ref_key: "el",
        ref: el,
        class: "VPSocialLink no-icon",
        href: __props.link,
        "aria-label": __props.ariaLabel ?? (typeof __props.icon === "string" ? __props.icon : ""),
        target: "_blank",
        rel: "noopener"
      }, _attrs))} data-v-700eb311>${svg.value ?? ""}</a>`);
    };
  }
});
const _sfc_setup$A = _sfc_main$A.setup;
_sfc_main$A.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPSocialLink.vue");
  return _sfc_setup$A ? _sfc_setup$A(props, ctx) : void 0;
};
const VPSocialLink = /* @__PURE__ */ _export_sfc(_sfc_main$A, [["__scopeId", "data-v-700eb311"]]);
const _sfc_main$z = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPSocialLinks",
  __ssrInlineRender: true,
  props: {
    links: {}
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPSocialLinks" }, _attrs))} data-v-2b733cfc><!--[-->`);
      ssrRenderList_1(__props.links, ({ link: link2, icon, ariaLabel }) => {
        _push(ssrRenderComponent_1(VPSocialLink, {
          key: link2,
          icon,
          link: link2,
          ariaLabel
        }, null, _parent));
      });
      _push(`<!--]--></div>`);
    };
  }
});
const _sfc_setup$z = _sfc_main$z.setup;
_sfc_main$z.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPSocialLinks.vue");
  return _sfc_setup$z ? _sfc_setup$z(props, ctx) : void 0;
};
const VPSocialLinks = /* @__PURE__ */ _export_sfc(_sfc_main$z, [["__scopeId", "data-v-2b733cfc"]]);
const _sfc_main$y = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBarExtra",
  __ssrInlineRender: true,
  setup(__props) {
    const { site, theme: theme2 } = useData();
    const { localeLinks, currentLang } = useLangs({ correspondingLink: true });
    const hasExtraContent = vueExports.computed(
      () => localeLinks.value.length && currentLang.value.label || site.value.appearance || theme2.value.socialLinks
    );
    return (_ctx, _push, _parent, _attrs) => {
      if (hasExtraContent.value) {
        _push(ssrRenderComponent_1(VPFlyout, vueExports.mergeProps({
          class: "VPNavBarExtra",
          label: "extra navigation"
        }, _attrs), {
          default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              if (vueExports.unref(localeLinks).length && vueExports.unref(currentLang).label) {
                _push2(`<div class="group translations" data-v-7fbf5287${_scopeId}><p class="trans-title" data-v-7fbf5287${_scopeId}>${ssrInterpolate_1(vueExports.unref(currentLang).label)}</p><!--[-->`);
                ssrRenderList_1(vueExports.unref(localeLinks), (locale) => {
                  _push2(ssrRenderComponent_1(VPMenuLink, { item: locale }, null, _parent2, _scopeId));
                });
                _push2(`<!--]--></div>`);
              } else {
                _push2(`<!---->`);
              }
              if (vueExports.unref(site).appearance && vueExports.unref(site).appearance !== "force-dark" && vueExports.unref(site).appearance !== "force-auto") {
                _push2(`<div class="group" data-v-7fbf5287${_scopeId}><div class="item appearance" data-v-7fbf5287${_scopeId}><p class="label" data-v-7fbf5287${_scopeId}>${ssrInterpolate_1(vueExports.unref(theme2).darkModeSwitchLabel || "Appearance")}</p><div class="appearance-action" data-v-7fbf5287${_scopeId}>`);
                _push2(ssrRenderComponent_1(VPSwitchAppearance, null, null, _parent2, _scopeId));
                _push2(`</div></div></div>`);
              } else {
                _push2(`<!---->`);
              }
              if (vueExports.unref(theme2).socialLinks) {
                _push2(`<div class="group" data-v-7fbf5287${_scopeId}><div class="item social-links" data-v-7fbf5287${_scopeId}>`);
                _push2(ssrRenderComponent_1(VPSocialLinks, {
                  class: "social-links-list",
                  links: vueExports.unref(theme2).socialLinks
                }, null, _parent2, _scopeId));
                _push2(`</div></div>`);
              } else {
                _push2(`<!---->`);
              }
            } else {
              return [
                vueExports.unref(localeLinks).length && vueExports.unref(currentLang).label ? (vueExports.openBlock(), vueExports.createBlock("div", {
                  key: 0,
                  class: "group translations"
                }, [
                  vueExports.createVNode("p", { class: "trans-title" }, vueExports.toDisplayString(vueExports.unref(currentLang).label), 1),
                  (vueExports.openBlock(true), vueExports.createBlock(vueExports.Fragment, null, vueExports.renderList(vueExports.unref(localeLinks), (locale) => {
                    return vueExports.openBlock(), vueExports.createBlock(VPMenuLink, {
                      key: locale.link,
                      item: locale
                    }, null, 8, ["item"]);
                  }), 128))
                ])) : vueExports.createCommentVNode("", true),
                vueExports.unref(site).appearance && vueExports.unref(site).appearance !== "force-dark" && vueExports.unref(site).appearance !== "force-auto" ? (vueExports.openBlock(), vueExports.createBlock("div", {
                  key: 1,
                  class: "group"
                }, [
                  vueExports.createVNode("div", { class: "item appearance" }, [
                    vueExports.createVNode("p", { class: "label" }, vueExports.toDisplayString(vueExports.unref(theme2).darkModeSwitchLabel || "Appearance"), 1),
                    vueExports.createVNode("div", { class: "appearance-action" }, [
                      vueExports.createVNode(VPSwitchAppearance)
                    ])
                  ])
                ])) : vueExports.createCommentVNode("", true),
                vueExports.unref(theme2).socialLinks ? (vueExports.openBlock(), vueExports.createBlock("div", {
                  key: 2,
                  class: "group"
                }, [
                  vueExports.createVNode("div", { class: "item social-links" }, [
                    vueExports.createVNode(VPSocialLinks, {
                      class: "social-links-list",
                      links: vueExports.unref(theme2).socialLinks
                    }, null, 8, ["links"])
                  ])
                ])) : vueExports.createCommentVNode("", true)
              ];
            }
          }),
          _: 1
        }, _parent));
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$y = _sfc_main$y.setup;
_sfc_main$y.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBarExtra.vue");
  return _sfc_setup$y ? _sfc_setup$y(props, ctx) : void 0;
};
const VPNavBarExtra = /* @__PURE__ */ _export_sfc(_sfc_main$y, [["__scopeId", "data-v-7fbf5287"]]);
const _sfc_main$x = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBarHamburger",
  __ssrInlineRender: true,
  props: {
    active: { type: Boolean }
  },
  emits: ["click"],
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<button${ssrRenderAttrs_1(vueExports.mergeProps({
        type: "button",
        class: ["VPNavBarHamburger", { active: __props.active }],
        "aria-label": "mobile navigation",
        "aria-expanded": __props.active,
        "aria-controls": "VPNavScreen"
      }, _attrs))} data-v-18625d9b><span class="container" data-v-18625d9b><span class="top" data-v-18625d9b></span><span class="middle" data-v-18625d9b></span><span class="bottom" data-v-18625d9b></span></span></button>`);
    };
  }
});
const _sfc_setup$x = _sfc_main$x.setup;
_sfc_main$x.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBarHamburger.vue");
  return _sfc_setup$x ? _sfc_setup$x(props, ctx) : void 0;
};
const VPNavBarHamburger = /* @__PURE__ */ _export_sfc(_sfc_main$x, [["__scopeId", "data-v-18625d9b"]]);
const _sfc_main$w = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBarMenuLink",
  __ssrInlineRender: true,
  props: {
    item: {}
  },
  setup(__props) {
    const { page } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      _push(ssrRenderComponent_1(_sfc_main$Z, vueExports.mergeProps({
        class: {
          VPNavBarMenuLink: true,
          active: vueExports.unref(isActive)(
            vueExports.unref(page).relativePath,
            __props.item.activeMatch || __props.item.link,
            !!__props.item.activeMatch
          )
        },
        href: __props.item.link,
        target: __props.item.target,
        rel: __props.item.rel,
        "no-icon": __props.item.noIcon,
        tabindex: "0"
      }, _attrs), {
        default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            _push2(`<span data-v-8c56ae50${_scopeId}>${__props.item.text ?? ""}</span>`);
          } else {
            return [
              vueExports.createVNode("span", {
                innerHTML: __props.item.text
              }, null, 8, ["innerHTML"])
            ];
          }
        }),
        _: 1
      }, _parent));
    };
  }
});
const _sfc_setup$w = _sfc_main$w.setup;
_sfc_main$w.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBarMenuLink.vue");
  return _sfc_setup$w ? _sfc_setup$w(props, ctx) : void 0;
};
const VPNavBarMenuLink = /* @__PURE__ */ _export_sfc(_sfc_main$w, [["__scopeId", "data-v-8c56ae50"]]);
const _sfc_main$v = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBarMenuGroup",
  __ssrInlineRender: true,
  props: {
    item: {}
  },
  setup(__props) {
    const props = __props;
    const { page } = useData();
    const isChildActive = (navItem) => {
      if ("component" in navItem) return false;
      if ("link" in navItem) {
        return isActive(
          page.value.relativePath,
          navItem.link,
          !!props.item.activeMatch
        );
      }
      return navItem.items.some(isChildActive);
    };
    const childrenActive = vueExports.computed(() => isChildActive(props.item));
    return (_ctx, _push, _parent, _attrs) => {
      _push(ssrRenderComponent_1(VPFlyout, vueExports.mergeProps({
        class: {
          VPNavBarMenuGroup: true,
          active: vueExports.unref(isActive)(vueExports.unref(page).relativePath, __props.item.activeMatch, !!__props.item.activeMatch) || childrenActive.value
        },
        button: __props.item.text,
        items: __props.item.items
      }, _attrs), null, _parent));
    };
  }
});
const _sfc_setup$v = _sfc_main$v.setup;
_sfc_main$v.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBarMenuGroup.vue");
  return _sfc_setup$v ? _sfc_setup$v(props, ctx) : void 0;
};
const _sfc_main$u = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBarMenu",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2 } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(theme2).nav) {
        _push(`<nav${ssrRenderAttrs_1(vueExports.mergeProps({
          "aria-labelledby": "main-nav-aria-label",
          class: "VPNavBarMenu"
        }, _attrs))} data-v-aa50f2d6><span id="main-nav-aria-label" class="visually-hidden" data-v-aa50f2d6> Main Navigation </span><!--[-->`);
        ssrRenderList_1(vueExports.unref(theme2).nav, (item) => {
          _push(`<!--[-->`);
          if ("link" in item) {
            _push(ssrRenderComponent_1(VPNavBarMenuLink, { item }, null, _parent));
          } else if ("component" in item) {
            ssrRenderVNode(_push, vueExports.createVNode(vueExports.resolveDynamicComponent(item.component), vueExports.mergeProps({ ref_for: true }, item.props), null), _parent);
          } else {
            _push(ssrRenderComponent_1(_sfc_main$v, { item }, null, _parent));
          }
          _push(`<!--]-->`);
        });
        _push(`<!--]--></nav>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$u = _sfc_main$u.setup;
_sfc_main$u.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBarMenu.vue");
  return _sfc_setup$u ? _sfc_setup$u(props, ctx) : void 0;
};
const VPNavBarMenu = /* @__PURE__ */ _export_sfc(_sfc_main$u, [["__scopeId", "data-v-aa50f2d6"]]);
function createSearchTranslate(defaultTranslations) {
  const { localeIndex, theme: theme2 } = useData();
  function translate(key) {
    var _a, _b, _c;
    const keyPath = key.split(".");
    const themeObject = (_a = theme2.value.search) == null ? void 0 : _a.options;
    const isObject2 = themeObject && typeof themeObject === "object";
    const locales = isObject2 && ((_c = (_b = themeObject.locales) == null ? void 0 : _b[localeIndex.value]) == null ? void 0 : _c.translations) || null;
    const translations = isObject2 && themeObject.translations || null;
    let localeResult = locales;
    let translationResult = translations;
    let defaultResult = defaultTranslations;
    const lastKey = keyPath.pop();
    for (const k of keyPath) {
      let fallbackResult = null;
      const foundInFallback = defaultResult == null ? void 0 : defaultResult[k];
      if (foundInFallback) {
        fallbackResult = defaultResult = foundInFallback;
      }
      const foundInTranslation = translationResult == null ? void 0 : translationResult[k];
      if (foundInTranslation) {
        fallbackResult = translationResult = foundInTranslation;
      }
      const foundInLocale = localeResult == null ? void 0 : localeResult[k];
      if (foundInLocale) {
        fallbackResult = localeResult = foundInLocale;
      }
      if (!foundInFallback) {
        defaultResult = fallbackResult;
      }
      if (!foundInTranslation) {
        translationResult = fallbackResult;
      }
      if (!foundInLocale) {
        localeResult = fallbackResult;
      }
    }
    return (localeResult == null ? void 0 : localeResult[lastKey]) ?? (translationResult == null ? void 0 : translationResult[lastKey]) ?? (defaultResult == null ? void 0 : defaultResult[lastKey]) ?? "";
  }
  return translate;
}
const _sfc_main$t = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBarSearchButton",
  __ssrInlineRender: true,
  setup(__props) {
    const defaultTranslations = {
      button: {
        buttonText: "Search",
        buttonAriaLabel: "Search"
      }
    };
    const translate = createSearchTranslate(defaultTranslations);
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<button${ssrRenderAttrs_1(vueExports.mergeProps({
        type: "button",
        class: "DocSearch DocSearch-Button",
        "aria-label": vueExports.unref(translate)("button.buttonAriaLabel")
      }, _attrs))}><span class="DocSearch-Button-Container"><span class="vp-icon DocSearch-Search-Icon"></span><span class="DocSearch-Button-Placeholder">${ssrInterpolate_1(vueExports.unref(translate)("button.buttonText"))}</span></span><span class="DocSearch-Button-Keys"><kbd class="DocSearch-Button-Key"></kbd><kbd class="DocSearch-Button-Key">K</kbd></span></button>`);
    };
  }
});
const _sfc_setup$t = _sfc_main$t.setup;
_sfc_main$t.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBarSearchButton.vue");
  return _sfc_setup$t ? _sfc_setup$t(props, ctx) : void 0;
};
const _sfc_main$s = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBarSearch",
  __ssrInlineRender: true,
  setup(__props) {
    const VPLocalSearchBox = vueExports.defineAsyncComponent(() => import("./VPLocalSearchBox.Dn3dL_cJ.js"));
    const VPAlgoliaSearchBox = () => null;
    const { theme: theme2 } = useData();
    const loaded = vueExports.ref(false);
    const actuallyLoaded = vueExports.ref(false);
    vueExports.onMounted(() => {
      {
        return;
      }
    });
    function load() {
      if (!loaded.value) {
        loaded.value = true;
        setTimeout(poll, 16);
      }
    }
    function poll() {
      const e = new Event("keydown");
      e.key = "k";
      e.metaKey = true;
      window.dispatchEvent(e);
      setTimeout(() => {
        if (!document.querySelector(".DocSearch-Modal")) {
          poll();
        }
      }, 16);
    }
    function isEditingContent(event) {
      const element = event.target;
      const tagName = element.tagName;
      return element.isContentEditable || tagName === "INPUT" || tagName === "SELECT" || tagName === "TEXTAREA";
    }
    const showSearch = vueExports.ref(false);
    {
      onKeyStroke("k", (event) => {
        if (event.ctrlKey || event.metaKey) {
          event.preventDefault();
          showSearch.value = true;
        }
      });
      onKeyStroke("/", (event) => {
        if (!isEditingContent(event)) {
          event.preventDefault();
          showSearch.value = true;
        }
      });
    }
    const provider = "local";
    return (_ctx, _push, _parent, _attrs) => {
      var _a;
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPNavBarSearch" }, _attrs))}>`);
      if (vueExports.unref(provider) === "local") {
        _push(`<!--[-->`);
        if (showSearch.value) {
          _push(ssrRenderComponent_1(vueExports.unref(VPLocalSearchBox), {
            onClose: ($event) => showSearch.value = false
          }, null, _parent));
        } else {
          _push(`<!---->`);
        }
        _push(`<div id="local-search">`);
        _push(ssrRenderComponent_1(_sfc_main$t, {
          onClick: ($event) => showSearch.value = true
        }, null, _parent));
        _push(`</div><!--]-->`);
      } else if (vueExports.unref(provider) === "algolia") {
        _push(`<!--[-->`);
        if (loaded.value) {
          _push(ssrRenderComponent_1(vueExports.unref(VPAlgoliaSearchBox), {
            algolia: ((_a = vueExports.unref(theme2).search) == null ? void 0 : _a.options) ?? vueExports.unref(theme2).algolia,
            onVnodeBeforeMount: ($event) => actuallyLoaded.value = true
          }, null, _parent));
        } else {
          _push(`<!---->`);
        }
        if (!actuallyLoaded.value) {
          _push(`<div id="docsearch">`);
          _push(ssrRenderComponent_1(_sfc_main$t, { onClick: load }, null, _parent));
          _push(`</div>`);
        } else {
          _push(`<!---->`);
        }
        _push(`<!--]-->`);
      } else {
        _push(`<!---->`);
      }
      _push(`</div>`);
    };
  }
});
const _sfc_setup$s = _sfc_main$s.setup;
_sfc_main$s.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBarSearch.vue");
  return _sfc_setup$s ? _sfc_setup$s(props, ctx) : void 0;
};
const _sfc_main$r = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBarSocialLinks",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2 } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(theme2).socialLinks) {
        _push(ssrRenderComponent_1(VPSocialLinks, vueExports.mergeProps({
          class: "VPNavBarSocialLinks",
          links: vueExports.unref(theme2).socialLinks
        }, _attrs), null, _parent));
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$r = _sfc_main$r.setup;
_sfc_main$r.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBarSocialLinks.vue");
  return _sfc_setup$r ? _sfc_setup$r(props, ctx) : void 0;
};
const VPNavBarSocialLinks = /* @__PURE__ */ _export_sfc(_sfc_main$r, [["__scopeId", "data-v-41602abc"]]);
const _sfc_main$q = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBarTitle",
  __ssrInlineRender: true,
  setup(__props) {
    const { site, theme: theme2 } = useData();
    const { hasSidebar } = useSidebar();
    const { currentLang } = useLangs();
    const link2 = vueExports.computed(
      () => {
        var _a;
        return typeof theme2.value.logoLink === "string" ? theme2.value.logoLink : (_a = theme2.value.logoLink) == null ? void 0 : _a.link;
      }
    );
    const rel = vueExports.computed(
      () => {
        var _a;
        return typeof theme2.value.logoLink === "string" ? void 0 : (_a = theme2.value.logoLink) == null ? void 0 : _a.rel;
      }
    );
    const target = vueExports.computed(
      () => {
        var _a;
        return typeof theme2.value.logoLink === "string" ? void 0 : (_a = theme2.value.logoLink) == null ? void 0 : _a.target;
      }
    );
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPNavBarTitle", { "has-sidebar": vueExports.unref(hasSidebar) }]
      }, _attrs))} data-v-eaa17d52><a class="title"${ssrRenderAttr_1("href", link2.value ?? vueExports.unref(normalizeLink$1)(vueExports.unref(currentLang).link))}${ssrRenderAttr_1("rel", rel.value)}${ssrRenderAttr_1("target", target.value)} data-v-eaa17d52>`);
      ssrRenderSlot_1(_ctx.$slots, "nav-bar-title-before", {}, null, _push, _parent);
      if (vueExports.unref(theme2).logo) {
        _push(ssrRenderComponent_1(VPImage, {
          class: "logo",
          image: vueExports.unref(theme2).logo
        }, null, _parent));
      } else {
        _push(`<!---->`);
      }
      if (vueExports.unref(theme2).siteTitle) {
        _push(`<span data-v-eaa17d52>${vueExports.unref(theme2).siteTitle ?? ""}</span>`);
      } else if (vueExports.unref(theme2).siteTitle === void 0) {
        _push(`<span data-v-eaa17d52>${ssrInterpolate_1(vueExports.unref(site).title)}</span>`);
      } else {
        _push(`<!---->`);
      }
      ssrRenderSlot_1(_ctx.$slots, "nav-bar-title-after", {}, null, _push, _parent);
      _push(`</a></div>`);
    };
  }
});
const _sfc_setup$q = _sfc_main$q.setup;
_sfc_main$q.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBarTitle.vue");
  return _sfc_setup$q ? _sfc_setup$q(props, ctx) : void 0;
};
const VPNavBarTitle = /* @__PURE__ */ _export_sfc(_sfc_main$q, [["__scopeId", "data-v-eaa17d52"]]);
const _sfc_main$p = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBarTranslations",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2 } = useData();
    const { localeLinks, currentLang } = useLangs({ correspondingLink: true });
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(localeLinks).length && vueExports.unref(currentLang).label) {
        _push(ssrRenderComponent_1(VPFlyout, vueExports.mergeProps({
          class: "VPNavBarTranslations",
          icon: "vpi-languages",
          label: vueExports.unref(theme2).langMenuLabel || "Change language"
        }, _attrs), {
          default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              _push2(`<div class="items" data-v-6a3751c6${_scopeId}><p class="title" data-v-6a3751c6${_scopeId}>${ssrInterpolate_1(vueExports.unref(currentLang).label)}</p><!--[-->`);
              ssrRenderList_1(vueExports.unref(localeLinks), (locale) => {
                _push2(ssrRenderComponent_1(VPMenuLink, { item: locale }, null, _parent2, _scopeId));
              });
              _push2(`<!--]--></div>`);
            } else {
              return [
                vueExports.createVNode("div", { class: "items" }, [
                  vueExports.createVNode("p", { class: "title" }, vueExports.toDisplayString(vueExports.unref(currentLang).label), 1),
                  (vueExports.openBlock(true), vueExports.createBlock(vueExports.Fragment, null, vueExports.renderList(vueExports.unref(localeLinks), (locale) => {
                    return vueExports.openBlock(), vueExports.createBlock(VPMenuLink, {
                      key: locale.link,
                      item: locale
                    }, null, 8, ["item"]);
                  }), 128))
                ])
              ];
            }
          }),
          _: 1
        }, _parent));
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$p = _sfc_main$p.setup;
_sfc_main$p.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBarTranslations.vue");
  return _sfc_setup$p ? _sfc_setup$p(props, ctx) : void 0;
};
const VPNavBarTranslations = /* @__PURE__ */ _export_sfc(_sfc_main$p, [["__scopeId", "data-v-6a3751c6"]]);
const _sfc_main$o = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavBar",
  __ssrInlineRender: true,
  props: {
    isScreenOpen: { type: Boolean }
  },
  emits: ["toggle-screen"],
  setup(__props) {
    const props = __props;
    const { y } = useWindowScroll();
    const { hasSidebar } = useSidebar();
    const { frontmatter } = useData();
    const classes = vueExports.ref({});
    vueExports.watchPostEffect(() => {
      classes.value = {
        "has-sidebar": hasSidebar.value,
        "home": frontmatter.value.layout === "home",
        "top": y.value === 0,
        "screen-open": props.isScreenOpen
      };
    });
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPNavBar", classes.value]
      }, _attrs))} data-v-9ec00f1d><div class="wrapper" data-v-9ec00f1d><div class="container" data-v-9ec00f1d><div class="title" data-v-9ec00f1d>`);
      _push(ssrRenderComponent_1(VPNavBarTitle, null, {
        "nav-bar-title-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            ssrRenderSlot_1(_ctx.$slots, "nav-bar-title-before", {}, null, _push2, _parent2, _scopeId);
          } else {
            return [
              vueExports.renderSlot(_ctx.$slots, "nav-bar-title-before", {}, void 0, true)
            ];
          }
        }),
        "nav-bar-title-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            ssrRenderSlot_1(_ctx.$slots, "nav-bar-title-after", {}, null, _push2, _parent2, _scopeId);
          } else {
            return [
              vueExports.renderSlot(_ctx.$slots, "nav-bar-title-after", {}, void 0, true)
            ];
          }
        }),
        _: 3
      }, _parent));
      _push(`</div><div class="content" data-v-9ec00f1d><div class="content-body" data-v-9ec00f1d>`);
      ssrRenderSlot_1(_ctx.$slots, "nav-bar-content-before", {}, null, _push, _parent);
      _push(ssrRenderComponent_1(_sfc_main$s, { class: "search" }, null, _parent));
      _push(ssrRenderComponent_1(VPNavBarMenu, { class: "menu" }, null, _parent));
      _push(ssrRenderComponent_1(VPNavBarTranslations, { class: "translations" }, null, _parent));
      _push(ssrRenderComponent_1(VPNavBarAppearance, { class: "appearance" }, null, _parent));
      _push(ssrRenderComponent_1(VPNavBarSocialLinks, { class: "social-links" }, null, _parent));
      _push(ssrRenderComponent_1(VPNavBarExtra, { class: "extra" }, null, _parent));
      ssrRenderSlot_1(_ctx.$slots, "nav-bar-content-after", {}, null, _push, _parent);
      _push(ssrRenderComponent_1(VPNavBarHamburger, {
        class: "hamburger",
        active: __props.isScreenOpen,
        onClick: ($event) => _ctx.$emit("toggle-screen")
      }, null, _parent));
      _push(`</div></div></div></div><div class="divider" data-v-9ec00f1d><div class="divider-line" data-v-9ec00f1d></div></div></div>`);
    };
  }
});
const _sfc_setup$o = _sfc_main$o.setup;
_sfc_main$o.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavBar.vue");
  return _sfc_setup$o ? _sfc_setup$o(props, ctx) : void 0;
};
const VPNavBar = /* @__PURE__ */ _export_sfc(_sfc_main$o, [["__scopeId", "data-v-9ec00f1d"]]);
const _sfc_main$n = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavScreenAppearance",
  __ssrInlineRender: true,
  setup(__props) {
    const { site, theme: theme2 } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(site).appearance && vueExports.unref(site).appearance !== "force-dark" && vueExports.unref(site).appearance !== "force-auto") {
        _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPNavScreenAppearance" }, _attrs))} data-v-54bf2069><p class="text" data-v-54bf2069>${ssrInterpolate_1(vueExports.unref(theme2).darkModeSwitchLabel || "Appearance")}</p>`);
        _push(ssrRenderComponent_1(VPSwitchAppearance, null, null, _parent));
        _push(`</div>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$n = _sfc_main$n.setup;
_sfc_main$n.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavScreenAppearance.vue");
  return _sfc_setup$n ? _sfc_setup$n(props, ctx) : void 0;
};
const VPNavScreenAppearance = /* @__PURE__ */ _export_sfc(_sfc_main$n, [["__scopeId", "data-v-54bf2069"]]);
const _sfc_main$m = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavScreenMenuLink",
  __ssrInlineRender: true,
  props: {
    item: {}
  },
  setup(__props) {
    const closeScreen = vueExports.inject("close-screen");
    return (_ctx, _push, _parent, _attrs) => {
      _push(ssrRenderComponent_1(_sfc_main$Z, vueExports.mergeProps({
        class: "VPNavScreenMenuLink",
        href: __props.item.link,
        target: __props.item.target,
        rel: __props.item.rel,
        "no-icon": __props.item.noIcon,
        onClick: vueExports.unref(closeScreen)
      }, _attrs), {
        default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            _push2(`<span data-v-c655da05${_scopeId}>${__props.item.text ?? ""}</span>`);
          } else {
            return [
              vueExports.createVNode("span", {
                innerHTML: __props.item.text
              }, null, 8, ["innerHTML"])
            ];
          }
        }),
        _: 1
      }, _parent));
    };
  }
});
const _sfc_setup$m = _sfc_main$m.setup;
_sfc_main$m.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavScreenMenuLink.vue");
  return _sfc_setup$m ? _sfc_setup$m(props, ctx) : void 0;
};
const VPNavScreenMenuLink = /* @__PURE__ */ _export_sfc(_sfc_main$m, [["__scopeId", "data-v-c655da05"]]);
const _sfc_main$l = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavScreenMenuGroupLink",
  __ssrInlineRender: true,
  props: {
    item: {}
  },
  setup(__props) {
    const closeScreen = vueExports.inject("close-screen");
    return (_ctx, _push, _parent, _attrs) => {
      _push(ssrRenderComponent_1(_sfc_main$Z, vueExports.mergeProps({
        class: "VPNavScreenMenuGroupLink",
        href: __props.item.link,
        target: __props.item.target,
        rel: __props.item.rel,
        "no-icon": __props.item.noIcon,
        onClick: vueExports.unref(closeScreen)
      }, _attrs), {
        default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            _push2(`<span data-v-a6b711d3${_scopeId}>${__props.item.text ?? ""}</span>`);
          } else {
            return [
              vueExports.createVNode("span", {
                innerHTML: __props.item.text
              }, null, 8, ["innerHTML"])
            ];
          }
        }),
        _: 1
      }, _parent));
    };
  }
});
const _sfc_setup$l = _sfc_main$l.setup;
_sfc_main$l.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavScreenMenuGroupLink.vue");
  return _sfc_setup$l ? _sfc_setup$l(props, ctx) : void 0;
};
const VPNavScreenMenuGroupLink = /* @__PURE__ */ _export_sfc(_sfc_main$l, [["__scopeId", "data-v-a6b711d3"]]);
const _sfc_main$k = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavScreenMenuGroupSection",
  __ssrInlineRender: true,
  props: {
    text: {},
    items: {}
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPNavScreenMenuGroupSection" }, _attrs))} data-v-02b968c0>`);
      if (__props.text) {
        _push(`<p class="title" data-v-02b968c0>${ssrInterpolate_1(__props.text)}</p>`);
      } else {
        _push(`<!---->`);
      }
      _push(`<!--[-->`);
      ssrRenderList_1(__props.items, (item) => {
        _push(ssrRenderComponent_1(VPNavScreenMenuGroupLink, {
          key: item.text,
          item
        }, null, _parent));
      });
      _push(`<!--]--></div>`);
    };
  }
});
const _sfc_setup$k = _sfc_main$k.setup;
_sfc_main$k.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavScreenMenuGroupSection.vue");
  return _sfc_setup$k ? _sfc_setup$k(props, ctx) : void 0;
};
const VPNavScreenMenuGroupSection = /* @__PURE__ */ _export_sfc(_sfc_main$k, [["__scopeId", "data-v-02b968c0"]]);
const _sfc_main$j = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavScreenMenuGroup",
  __ssrInlineRender: true,
  props: {
    text: {},
    items: {}
  },
  setup(__props) {
    const props = __props;
    const isOpen = vueExports.ref(false);
    const groupId = vueExports.computed(
      () => `NavScreenGroup-${props.text.replace(" ", "-").toLowerCase()}`
    );
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPNavScreenMenuGroup", { open: isOpen.value }]
      }, _attrs))} data-v-89963c68><button class="button"${ssrRenderAttr_1("aria-controls", groupId.value)}${ssrRenderAttr_1("aria-expanded", isOpen.value)} data-v-89963c68><span class="button-text" data-v-89963c68>${__props.text ?? ""}</span><span class="vpi-plus button-icon" data-v-89963c68></span></button><div${ssrRenderAttr_1("id", groupId.value)} class="items" data-v-89963c68><!--[-->`);
      ssrRenderList_1(__props.items, (item) => {
        _push(`<!--[-->`);
        if ("link" in item) {
          _push(`<div class="item" data-v-89963c68>`);
          _push(ssrRenderComponent_1(VPNavScreenMenuGroupLink, { item }, null, _parent));
          _push(`</div>`);
        } else if ("component" in item) {
          _push(`<div class="item" data-v-89963c68>`);
          ssrRenderVNode(_push, vueExports.createVNode(vueExports.resolveDynamicComponent(item.component), vueExports.mergeProps({ ref_for: true }, item.props, { "screen-menu": "" }), null), _parent);
          _push(`</div>`);
        } else {
          _push(`<div class="group" data-v-89963c68>`);
          _push(ssrRenderComponent_1(VPNavScreenMenuGroupSection, {
            text: item.text,
            items: item.items
          }, null, _parent));
          _push(`</div>`);
        }
        _push(`<!--]-->`);
      });
      _push(`<!--]--></div></div>`);
    };
  }
});
const _sfc_setup$j = _sfc_main$j.setup;
_sfc_main$j.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavScreenMenuGroup.vue");
  return _sfc_setup$j ? _sfc_setup$j(props, ctx) : void 0;
};
const VPNavScreenMenuGroup = /* @__PURE__ */ _export_sfc(_sfc_main$j, [["__scopeId", "data-v-89963c68"]]);
const _sfc_main$i = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavScreenMenu",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2 } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(theme2).nav) {
        _push(`<nav${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPNavScreenMenu" }, _attrs))}><!--[-->`);
        ssrRenderList_1(vueExports.unref(theme2).nav, (item) => {
          _push(`<!--[-->`);
          if ("link" in item) {
            _push(ssrRenderComponent_1(VPNavScreenMenuLink, { item }, null, _parent));
          } else if ("component" in item) {
            ssrRenderVNode(_push, vueExports.createVNode(vueExports.resolveDynamicComponent(item.component), vueExports.mergeProps({ ref_for: true }, item.props, { "screen-menu": "" }), null), _parent);
          } else {
            _push(ssrRenderComponent_1(VPNavScreenMenuGroup, {
              text: item.text || "",
              items: item.items
            }, null, _parent));
          }
          _push(`<!--]-->`);
        });
        _push(`<!--]--></nav>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$i = _sfc_main$i.setup;
_sfc_main$i.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavScreenMenu.vue");
  return _sfc_setup$i ? _sfc_setup$i(props, ctx) : void 0;
};
const _sfc_main$h = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavScreenSocialLinks",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2 } = useData();
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(theme2).socialLinks) {
        _push(ssrRenderComponent_1(VPSocialLinks, vueExports.mergeProps({
          class: "VPNavScreenSocialLinks",
          links: vueExports.unref(theme2).socialLinks
        }, _attrs), null, _parent));
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$h = _sfc_main$h.setup;
_sfc_main$h.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavScreenSocialLinks.vue");
  return _sfc_setup$h ? _sfc_setup$h(props, ctx) : void 0;
};
const _sfc_main$g = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavScreenTranslations",
  __ssrInlineRender: true,
  setup(__props) {
    const { localeLinks, currentLang } = useLangs({ correspondingLink: true });
    const isOpen = vueExports.ref(false);
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(localeLinks).length && vueExports.unref(currentLang).label) {
        _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
          class: ["VPNavScreenTranslations", { open: isOpen.value }]
        }, _attrs))} data-v-803272e2><button class="title" data-v-803272e2><span class="vpi-languages icon lang" data-v-803272e2></span> ${ssrInterpolate_1(vueExports.unref(currentLang).label)} <span class="vpi-chevron-down icon chevron" data-v-803272e2></span></button><ul class="list" data-v-803272e2><!--[-->`);
        ssrRenderList_1(vueExports.unref(localeLinks), (locale) => {
          _push(`<li class="item" data-v-803272e2>`);
          _push(ssrRenderComponent_1(_sfc_main$Z, {
            class: "link",
            href: locale.link
          }, {
            default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
              if (_push2) {
                _push2(`${ssrInterpolate_1(locale.text)}`);
              } else {
                return [
                  vueExports.createTextVNode(vueExports.toDisplayString(locale.text), 1)
                ];
              }
            }),
            _: 2
          }, _parent));
          _push(`</li>`);
        });
        _push(`<!--]--></ul></div>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$g = _sfc_main$g.setup;
_sfc_main$g.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavScreenTranslations.vue");
  return _sfc_setup$g ? _sfc_setup$g(props, ctx) : void 0;
};
const VPNavScreenTranslations = /* @__PURE__ */ _export_sfc(_sfc_main$g, [["__scopeId", "data-v-803272e2"]]);
const _sfc_main$f = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNavScreen",
  __ssrInlineRender: true,
  props: {
    open: { type: Boolean }
  },
  setup(__props) {
    const screen = vueExports.ref(null);
    useScrollLock(inBrowser ? document.body : null);
    return (_ctx, _push, _parent, _attrs) => {
      if (__props.open) {
        _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
          class: "VPNavScreen",
          ref_key: "screen",
          ref: screen,
          id: "VPNavScreen"
        }, _attrs))} data-v-ac686ed7><div class="container" data-v-ac686ed7>`);
        ssrRenderSlot_1(_ctx.$slots, "nav-screen-content-before", {}, null, _push, _parent);
        _push(ssrRenderComponent_1(_sfc_main$i, { class: "menu" }, null, _parent));
        _push(ssrRenderComponent_1(VPNavScreenTranslations, { class: "translations" }, null, _parent));
        _push(ssrRenderComponent_1(VPNavScreenAppearance, { class: "appearance" }, null, _parent));
        _push(ssrRenderComponent_1(_sfc_main$h, { class: "social-links" }, null, _parent));
        ssrRenderSlot_1(_ctx.$slots, "nav-screen-content-after", {}, null, _push, _parent);
        _push(`</div></div>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$f = _sfc_main$f.setup;
_sfc_main$f.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNavScreen.vue");
  return _sfc_setup$f ? _sfc_setup$f(props, ctx) : void 0;
};
const VPNavScreen = /* @__PURE__ */ _export_sfc(_sfc_main$f, [["__scopeId", "data-v-ac686ed7"]]);
const _sfc_main$e = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPNav",
  __ssrInlineRender: true,
  setup(__props) {
    const { isScreenOpen, closeScreen, toggleScreen } = useNav();
    const { frontmatter } = useData();
    const hasNavbar = vueExports.computed(() => {
      return frontmatter.value.navbar !== false;
    });
    vueExports.provide("close-screen", closeScreen);
    vueExports.watchEffect(() => {
      if (inBrowser) {
        document.documentElement.classList.toggle("hide-nav", !hasNavbar.value);
      }
    });
    return (_ctx, _push, _parent, _attrs) => {
      if (hasNavbar.value) {
        _push(`<header${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPNav" }, _attrs))} data-v-dd7b9f02>`);
        _push(ssrRenderComponent_1(VPNavBar, {
          "is-screen-open": vueExports.unref(isScreenOpen),
          onToggleScreen: vueExports.unref(toggleScreen)
        }, {
          "nav-bar-title-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-bar-title-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-bar-title-before", {}, void 0, true)
              ];
            }
          }),
          "nav-bar-title-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-bar-title-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-bar-title-after", {}, void 0, true)
              ];
            }
          }),
          "nav-bar-content-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-bar-content-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-bar-content-before", {}, void 0, true)
              ];
            }
          }),
          "nav-bar-content-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-bar-content-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-bar-content-after", {}, void 0, true)
              ];
            }
          }),
          _: 3
        }, _parent));
        _push(ssrRenderComponent_1(VPNavScreen, { open: vueExports.unref(isScreenOpen) }, {
          "nav-screen-content-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-screen-content-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-screen-content-before", {}, void 0, true)
              ];
            }
          }),
          "nav-screen-content-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-screen-content-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-screen-content-after", {}, void 0, true)
              ];
            }
          }),
          _: 3
        }, _parent));
        _push(`</header>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$e = _sfc_main$e.setup;
_sfc_main$e.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPNav.vue");
  return _sfc_setup$e ? _sfc_setup$e(props, ctx) : void 0;
};
const VPNav = /* @__PURE__ */ _export_sfc(_sfc_main$e, [["__scopeId", "data-v-dd7b9f02"]]);
const _sfc_main$d = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPSidebarItem",
  __ssrInlineRender: true,
  props: {
    item: {},
    depth: {}
  },
  setup(__props) {
    const props = __props;
    const {
      collapsed,
      collapsible,
      isLink,
      isActiveLink,
      hasActiveLink: hasActiveLink2,
      hasChildren,
      toggle
    } = useSidebarControl(vueExports.computed(() => props.item));
    const sectionTag = vueExports.computed(() => hasChildren.value ? "section" : `div`);
    const linkTag = vueExports.computed(() => isLink.value ? "a" : "div");
    const textTag = vueExports.computed(() => {
      return !hasChildren.value ? "p" : props.depth + 2 === 7 ? "p" : `h${props.depth + 2}`;
    });
    const itemRole = vueExports.computed(() => isLink.value ? void 0 : "button");
    const classes = vueExports.computed(() => [
      [`level-${props.depth}`],
      { collapsible: collapsible.value },
      { collapsed: collapsed.value },
      { "is-link": isLink.value },
      { "is-active": isActiveLink.value },
      { "has-active": hasActiveLink2.value }
    ]);
    function onItemInteraction(e) {
      if ("key" in e && e.key !== "Enter") {
        return;
      }
      !props.item.link && toggle();
    }
    function onCaretClick() {
      props.item.link && toggle();
    }
    return (_ctx, _push, _parent, _attrs) => {
      const _component_VPSidebarItem = vueExports.resolveComponent("VPSidebarItem", true);
      ssrRenderVNode(_push, vueExports.createVNode(vueExports.resolveDynamicComponent(sectionTag.value), vueExports.mergeProps({
        class: ["VPSidebarItem", classes.value]
      }, _attrs), {
        default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
          if (_push2) {
            if (__props.item.text) {
              _push2(`<div class="item"${ssrRenderAttr_1("role", itemRole.value)}${ssrRenderAttr_1("tabindex", __props.item.items && 0)} data-v-e4f159ab${_scopeId}><div class="indicator" data-v-e4f159ab${_scopeId}></div>`);
              if (__props.item.link) {
                _push2(ssrRenderComponent_1(_sfc_main$Z, {
                  tag: linkTag.value,
                  class: "link",
                  href: __props.item.link,
                  rel: __props.item.rel,
                  target: __props.item.target
                }, {
                  default: vueExports.withCtx((_2, _push3, _parent3, _scopeId2) => {
                    if (_push3) {
                      ssrRenderVNode(_push3, vueExports.createVNode(vueExports.resolveDynamicComponent(textTag.value), { class: "text" }, null), _parent3, _scopeId2);
                    } else {
                      return [
                        (vueExports.openBlock(), vueExports.createBlock(vueExports.resolveDynamicComponent(textTag.value), {
                          class: "text",
                          innerHTML: __props.item.text
                        }, null, 8, ["innerHTML"]))
                      ];
                    }
                  }),
                  _: 1
                }, _parent2, _scopeId));
              } else {
                ssrRenderVNode(_push2, vueExports.createVNode(vueExports.resolveDynamicComponent(textTag.value), { class: "text" }, null), _parent2, _scopeId);
              }
              if (__props.item.collapsed != null && __props.item.items && __props.item.items.length) {
                _push2(`<div class="caret" role="button" aria-label="toggle section" tabindex="0" data-v-e4f159ab${_scopeId}><span class="vpi-chevron-right caret-icon" data-v-e4f159ab${_scopeId}></span></div>`);
              } else {
                _push2(`<!---->`);
              }
              _push2(`</div>`);
            } else {
              _push2(`<!---->`);
            }
            if (__props.item.items && __props.item.items.length) {
              _push2(`<div class="items" data-v-e4f159ab${_scopeId}>`);
              if (__props.depth < 5) {
                _push2(`<!--[-->`);
                ssrRenderList_1(__props.item.items, (i) => {
                  _push2(ssrRenderComponent_1(_component_VPSidebarItem, {
                    key: i.text,
                    item: i,
                    depth: __props.depth + 1
                  }, null, _parent2, _scopeId));
                });
                _push2(`<!--]-->`);
              } else {
                _push2(`<!---->`);
              }
              _push2(`</div>`);
            } else {
              _push2(`<!---->`);
            }
          } else {
            return [
              __props.item.text ? (vueExports.openBlock(), vueExports.createBlock("div", vueExports.mergeProps({
                key: 0,
                class: "item",
                role: itemRole.value
              }, vueExports.toHandlers(
                __props.item.items ? { click: onItemInteraction, keydown: onItemInteraction } : {},
                true
              ), {
                tabindex: __props.item.items && 0
              }), [
                vueExports.createVNode("div", { class: "indicator" }),
                __props.item.link ? (vueExports.openBlock(), vueExports.createBlock(_sfc_main$Z, {
                  key: 0,
                  tag: linkTag.value,
                  class: "link",
                  href: __props.item.link,
                  rel: __props.item.rel,
                  target: __props.item.target
                }, {
                  default: vueExports.withCtx(() => [
                    (vueExports.openBlock(), vueExports.createBlock(vueExports.resolveDynamicComponent(textTag.value), {
                      class: "text",
                      innerHTML: __props.item.text
                    }, null, 8, ["innerHTML"]))
                  ]),
                  _: 1
                }, 8, ["tag", "href", "rel", "target"])) : (vueExports.openBlock(), vueExports.createBlock(vueExports.resolveDynamicComponent(textTag.value), {
                  key: 1,
                  class: "text",
                  innerHTML: __props.item.text
                }, null, 8, ["innerHTML"])),
                __props.item.collapsed != null && __props.item.items && __props.item.items.length ? (vueExports.openBlock(), vueExports.createBlock("div", {
                  key: 2,
                  class: "caret",
                  role: "button",
                  "aria-label": "toggle section",
                  onClick: onCaretClick,
                  onKeydown: vueExports.withKeys(onCaretClick, ["enter"]),
                  tabindex: "0"
                }, [
                  vueExports.createVNode("span", { class: "vpi-chevron-right caret-icon" })
                ], 32)) : vueExports.createCommentVNode("", true)
              ], 16, ["role", "tabindex"])) : vueExports.createCommentVNode("", true),
              __props.item.items && __props.item.items.length ? (vueExports.openBlock(), vueExports.createBlock("div", {
                key: 1,
                class: "items"
              }, [
                __props.depth < 5 ? (vueExports.openBlock(true), vueExports.createBlock(vueExports.Fragment, { key: 0 }, vueExports.renderList(__props.item.items, (i) => {
                  return vueExports.openBlock(), vueExports.createBlock(_component_VPSidebarItem, {
                    key: i.text,
                    item: i,
                    depth: __props.depth + 1
                  }, null, 8, ["item", "depth"]);
                }), 128)) : vueExports.createCommentVNode("", true)
              ])) : vueExports.createCommentVNode("", true)
            ];
          }
        }),
        _: 1
      }), _parent);
    };
  }
});
const _sfc_setup$d = _sfc_main$d.setup;
_sfc_main$d.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPSidebarItem.vue");
  return _sfc_setup$d ? _sfc_setup$d(props, ctx) : void 0;
};
const VPSidebarItem = /* @__PURE__ */ _export_sfc(_sfc_main$d, [["__scopeId", "data-v-e4f159ab"]]);
const _sfc_main$c = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPSidebarGroup",
  __ssrInlineRender: true,
  props: {
    items: {}
  },
  setup(__props) {
    const disableTransition = vueExports.ref(true);
    let timer = null;
    vueExports.onMounted(() => {
      timer = setTimeout(() => {
        timer = null;
        disableTransition.value = false;
      }, 300);
    });
    vueExports.onBeforeUnmount(() => {
      if (timer != null) {
        clearTimeout(timer);
        timer = null;
      }
    });
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<!--[-->`);
      ssrRenderList_1(__props.items, (item) => {
        _push(`<div class="${ssrRenderClass_1([{ "no-transition": disableTransition.value }, "group"])}" data-v-404db2a4>`);
        _push(ssrRenderComponent_1(VPSidebarItem, {
          item,
          depth: 0
        }, null, _parent));
        _push(`</div>`);
      });
      _push(`<!--]-->`);
    };
  }
});
const _sfc_setup$c = _sfc_main$c.setup;
_sfc_main$c.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPSidebarGroup.vue");
  return _sfc_setup$c ? _sfc_setup$c(props, ctx) : void 0;
};
const VPSidebarGroup = /* @__PURE__ */ _export_sfc(_sfc_main$c, [["__scopeId", "data-v-404db2a4"]]);
const _sfc_main$b = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPSidebar",
  __ssrInlineRender: true,
  props: {
    open: { type: Boolean }
  },
  setup(__props) {
    const { sidebarGroups, hasSidebar } = useSidebar();
    const props = __props;
    const navEl = vueExports.ref(null);
    const isLocked = useScrollLock(inBrowser ? document.body : null);
    vueExports.watch(
      [props, navEl],
      () => {
        var _a;
        if (props.open) {
          isLocked.value = true;
          (_a = navEl.value) == null ? void 0 : _a.focus();
        } else isLocked.value = false;
      },
      { immediate: true, flush: "post" }
    );
    const key = vueExports.ref(0);
    vueExports.watch(
      sidebarGroups,
      () => {
        key.value += 1;
      },
      { deep: true }
    );
    return (_ctx, _push, _parent, _attrs) => {
      if (vueExports.unref(hasSidebar)) {
        _push(`<aside${ssrRenderAttrs_1(vueExports.mergeProps({
          class: ["VPSidebar", { open: __props.open }],
          ref_key: "navEl",
          ref: navEl
        }, _attrs))} data-v-9180dead><div class="curtain" data-v-9180dead></div><nav class="nav" id="VPSidebarNav" aria-labelledby="sidebar-aria-label" tabindex="-1" data-v-9180dead><span class="visually-hidden" id="sidebar-aria-label" data-v-9180dead> Sidebar Navigation </span>`);
        ssrRenderSlot_1(_ctx.$slots, "sidebar-nav-before", {}, null, _push, _parent);
        _push(ssrRenderComponent_1(VPSidebarGroup, {
          items: vueExports.unref(sidebarGroups),
          key: key.value
        }, null, _parent));
        ssrRenderSlot_1(_ctx.$slots, "sidebar-nav-after", {}, null, _push, _parent);
        _push(`</nav></aside>`);
      } else {
        _push(`<!---->`);
      }
    };
  }
});
const _sfc_setup$b = _sfc_main$b.setup;
_sfc_main$b.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPSidebar.vue");
  return _sfc_setup$b ? _sfc_setup$b(props, ctx) : void 0;
};
const VPSidebar = /* @__PURE__ */ _export_sfc(_sfc_main$b, [["__scopeId", "data-v-9180dead"]]);
const _sfc_main$a = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPSkipLink",
  __ssrInlineRender: true,
  setup(__props) {
    const { theme: theme2 } = useData();
    const route = useRoute();
    const backToTop = vueExports.ref();
    vueExports.watch(() => route.path, () => backToTop.value.focus());
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<!--[--><span tabindex="-1" data-v-19548d66></span><a href="#VPContent" class="VPSkipLink visually-hidden" data-v-19548d66>${ssrInterpolate_1(vueExports.unref(theme2).skipToContentLabel || "Skip to content")}</a><!--]-->`);
    };
  }
});
const _sfc_setup$a = _sfc_main$a.setup;
_sfc_main$a.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPSkipLink.vue");
  return _sfc_setup$a ? _sfc_setup$a(props, ctx) : void 0;
};
const VPSkipLink = /* @__PURE__ */ _export_sfc(_sfc_main$a, [["__scopeId", "data-v-19548d66"]]);
const _sfc_main$9 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "Layout",
  __ssrInlineRender: true,
  setup(__props) {
    const {
      isOpen: isSidebarOpen,
      open: openSidebar,
      close: closeSidebar
    } = useSidebar();
    const route = useRoute();
    vueExports.watch(() => route.path, closeSidebar);
    useCloseSidebarOnEscape(isSidebarOpen, closeSidebar);
    const { frontmatter } = useData();
    const slots = vueExports.useSlots();
    const heroImageSlotExists = vueExports.computed(() => !!slots["home-hero-image"]);
    vueExports.provide("hero-image-slot-exists", heroImageSlotExists);
    return (_ctx, _push, _parent, _attrs) => {
      const _component_Content = vueExports.resolveComponent("Content");
      if (vueExports.unref(frontmatter).layout !== false) {
        _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
          class: ["Layout", vueExports.unref(frontmatter).pageClass]
        }, _attrs))} data-v-ca08fbf9>`);
        ssrRenderSlot_1(_ctx.$slots, "layout-top", {}, null, _push, _parent);
        _push(ssrRenderComponent_1(VPSkipLink, null, null, _parent));
        _push(ssrRenderComponent_1(VPBackdrop, {
          class: "backdrop",
          show: vueExports.unref(isSidebarOpen),
          onClick: vueExports.unref(closeSidebar)
        }, null, _parent));
        _push(ssrRenderComponent_1(VPNav, null, {
          "nav-bar-title-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-bar-title-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-bar-title-before", {}, void 0, true)
              ];
            }
          }),
          "nav-bar-title-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-bar-title-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-bar-title-after", {}, void 0, true)
              ];
            }
          }),
          "nav-bar-content-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-bar-content-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-bar-content-before", {}, void 0, true)
              ];
            }
          }),
          "nav-bar-content-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-bar-content-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-bar-content-after", {}, void 0, true)
              ];
            }
          }),
          "nav-screen-content-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-screen-content-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-screen-content-before", {}, void 0, true)
              ];
            }
          }),
          "nav-screen-content-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "nav-screen-content-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "nav-screen-content-after", {}, void 0, true)
              ];
            }
          }),
          _: 3
        }, _parent));
        _push(ssrRenderComponent_1(VPLocalNav, {
          open: vueExports.unref(isSidebarOpen),
          onOpenMenu: vueExports.unref(openSidebar)
        }, null, _parent));
        _push(ssrRenderComponent_1(VPSidebar, { open: vueExports.unref(isSidebarOpen) }, {
          "sidebar-nav-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "sidebar-nav-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "sidebar-nav-before", {}, void 0, true)
              ];
            }
          }),
          "sidebar-nav-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "sidebar-nav-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "sidebar-nav-after", {}, void 0, true)
              ];
            }
          }),
          _: 3
        }, _parent));
        _push(ssrRenderComponent_1(VPContent, null, {
          "page-top": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "page-top", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "page-top", {}, void 0, true)
              ];
            }
          }),
          "page-bottom": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "page-bottom", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "page-bottom", {}, void 0, true)
              ];
            }
          }),
          "not-found": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "not-found", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "not-found", {}, void 0, true)
              ];
            }
          }),
          "home-hero-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-before", {}, void 0, true)
              ];
            }
          }),
          "home-hero-info-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-info-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-info-before", {}, void 0, true)
              ];
            }
          }),
          "home-hero-info": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-info", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-info", {}, void 0, true)
              ];
            }
          }),
          "home-hero-info-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-info-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-info-after", {}, void 0, true)
              ];
            }
          }),
          "home-hero-actions-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-actions-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-actions-after", {}, void 0, true)
              ];
            }
          }),
          "home-hero-image": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-image", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-image", {}, void 0, true)
              ];
            }
          }),
          "home-hero-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-hero-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-hero-after", {}, void 0, true)
              ];
            }
          }),
          "home-features-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-features-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-features-before", {}, void 0, true)
              ];
            }
          }),
          "home-features-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "home-features-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "home-features-after", {}, void 0, true)
              ];
            }
          }),
          "doc-footer-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "doc-footer-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "doc-footer-before", {}, void 0, true)
              ];
            }
          }),
          "doc-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "doc-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "doc-before", {}, void 0, true)
              ];
            }
          }),
          "doc-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "doc-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "doc-after", {}, void 0, true)
              ];
            }
          }),
          "doc-top": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "doc-top", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "doc-top", {}, void 0, true)
              ];
            }
          }),
          "doc-bottom": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "doc-bottom", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "doc-bottom", {}, void 0, true)
              ];
            }
          }),
          "aside-top": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-top", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-top", {}, void 0, true)
              ];
            }
          }),
          "aside-bottom": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-bottom", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-bottom", {}, void 0, true)
              ];
            }
          }),
          "aside-outline-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-outline-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-outline-before", {}, void 0, true)
              ];
            }
          }),
          "aside-outline-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-outline-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-outline-after", {}, void 0, true)
              ];
            }
          }),
          "aside-ads-before": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-ads-before", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-ads-before", {}, void 0, true)
              ];
            }
          }),
          "aside-ads-after": vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              ssrRenderSlot_1(_ctx.$slots, "aside-ads-after", {}, null, _push2, _parent2, _scopeId);
            } else {
              return [
                vueExports.renderSlot(_ctx.$slots, "aside-ads-after", {}, void 0, true)
              ];
            }
          }),
          _: 3
        }, _parent));
        _push(ssrRenderComponent_1(VPFooter, null, null, _parent));
        ssrRenderSlot_1(_ctx.$slots, "layout-bottom", {}, null, _push, _parent);
        _push(`</div>`);
      } else {
        _push(ssrRenderComponent_1(_component_Content, _attrs, null, _parent));
      }
    };
  }
});
const _sfc_setup$9 = _sfc_main$9.setup;
_sfc_main$9.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/Layout.vue");
  return _sfc_setup$9 ? _sfc_setup$9(props, ctx) : void 0;
};
const Layout = /* @__PURE__ */ _export_sfc(_sfc_main$9, [["__scopeId", "data-v-ca08fbf9"]]);
const GridSettings = {
  xmini: [[0, 2]],
  mini: [],
  small: [
    [920, 6],
    [768, 5],
    [640, 4],
    [480, 3],
    [0, 2]
  ],
  medium: [
    [960, 5],
    [832, 4],
    [640, 3],
    [480, 2]
  ],
  big: [
    [832, 3],
    [640, 2]
  ]
};
function useSponsorsGrid({ el, size = "medium" }) {
  const onResize = throttleAndDebounce(manage, 100);
  vueExports.onMounted(() => {
    manage();
    window.addEventListener("resize", onResize);
  });
  vueExports.onUnmounted(() => {
    window.removeEventListener("resize", onResize);
  });
  function manage() {
    adjustSlots(el.value, size);
  }
}
function adjustSlots(el, size) {
  const tsize = el.children.length;
  const asize = el.querySelectorAll(".vp-sponsor-grid-item:not(.empty)").length;
  const grid = setGrid(el, size, asize);
  manageSlots(el, grid, tsize, asize);
}
function setGrid(el, size, items) {
  const settings = GridSettings[size];
  const screen = window.innerWidth;
  let grid = 1;
  settings.some(([breakpoint, value]) => {
    if (screen >= breakpoint) {
      grid = items < value ? items : value;
      return true;
    }
  });
  setGridData(el, grid);
  return grid;
}
function setGridData(el, value) {
  el.dataset.vpGrid = String(value);
}
function manageSlots(el, grid, tsize, asize) {
  const diff = tsize - asize;
  const rem = asize % grid;
  const drem = rem === 0 ? rem : grid - rem;
  neutralizeSlots(el, drem - diff);
}
function neutralizeSlots(el, count) {
  if (count === 0) {
    return;
  }
  count > 0 ? addSlots(el, count) : removeSlots(el, count * -1);
}
function addSlots(el, count) {
  for (let i = 0; i < count; i++) {
    const slot = document.createElement("div");
    slot.classList.add("vp-sponsor-grid-item", "empty");
    el.append(slot);
  }
}
function removeSlots(el, count) {
  for (let i = 0; i < count; i++) {
    el.removeChild(el.lastElementChild);
  }
}
const _sfc_main$8 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPSponsorsGrid",
  __ssrInlineRender: true,
  props: {
    size: { default: "medium" },
    data: {}
  },
  setup(__props) {
    const props = __props;
    const el = vueExports.ref(null);
    useSponsorsGrid({ el, size: props.size });
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPSponsorsGrid vp-sponsor-grid", [__props.size]],
        ref_key: "el",
        ref: el
      }, _attrs))}><!--[-->`);
      ssrRenderList_1(__props.data, (sponsor) => {
        _push(`<div class="vp-sponsor-grid-item"><a class="vp-sponsor-grid-link"${ssrRenderAttr_1("href", sponsor.url)} target="_blank" rel="sponsored noopener"><article class="vp-sponsor-grid-box"><h4 class="visually-hidden">${ssrInterpolate_1(sponsor.name)}</h4><img class="vp-sponsor-grid-image"${ssrRenderAttr_1("src", sponsor.img)}${ssrRenderAttr_1("alt", sponsor.name)}></article></a></div>`);
      });
      _push(`<!--]--></div>`);
    };
  }
});
const _sfc_setup$8 = _sfc_main$8.setup;
_sfc_main$8.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPSponsorsGrid.vue");
  return _sfc_setup$8 ? _sfc_setup$8(props, ctx) : void 0;
};
const _sfc_main$7 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPSponsors",
  __ssrInlineRender: true,
  props: {
    mode: { default: "normal" },
    tier: {},
    size: {},
    data: {}
  },
  setup(__props) {
    const props = __props;
    const sponsors = vueExports.computed(() => {
      const isSponsors = props.data.some((s) => {
        return "items" in s;
      });
      if (isSponsors) {
        return props.data;
      }
      return [
        { tier: props.tier, size: props.size, items: props.data }
      ];
    });
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPSponsors vp-sponsor", [__props.mode]]
      }, _attrs))}><!--[-->`);
      ssrRenderList_1(sponsors.value, (sponsor, index) => {
        _push(`<section class="vp-sponsor-section">`);
        if (sponsor.tier) {
          _push(`<h3 class="vp-sponsor-tier">${ssrInterpolate_1(sponsor.tier)}</h3>`);
        } else {
          _push(`<!---->`);
        }
        _push(ssrRenderComponent_1(_sfc_main$8, {
          size: sponsor.size,
          data: sponsor.items
        }, null, _parent));
        _push(`</section>`);
      });
      _push(`<!--]--></div>`);
    };
  }
});
const _sfc_setup$7 = _sfc_main$7.setup;
_sfc_main$7.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPSponsors.vue");
  return _sfc_setup$7 ? _sfc_setup$7(props, ctx) : void 0;
};
const _sfc_main$6 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPDocAsideSponsors",
  __ssrInlineRender: true,
  props: {
    tier: {},
    size: {},
    data: {}
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPDocAsideSponsors" }, _attrs))}>`);
      _push(ssrRenderComponent_1(_sfc_main$7, {
        mode: "aside",
        tier: __props.tier,
        size: __props.size,
        data: __props.data
      }, null, _parent));
      _push(`</div>`);
    };
  }
});
const _sfc_setup$6 = _sfc_main$6.setup;
_sfc_main$6.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPDocAsideSponsors.vue");
  return _sfc_setup$6 ? _sfc_setup$6(props, ctx) : void 0;
};
const _sfc_main$5 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPHomeSponsors",
  __ssrInlineRender: true,
  props: {
    message: {},
    actionText: { default: "Become a sponsor" },
    actionLink: {},
    data: {}
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<section${ssrRenderAttrs_1(vueExports.mergeProps({ class: "VPHomeSponsors" }, _attrs))} data-v-7615110e><div class="container" data-v-7615110e><div class="header" data-v-7615110e><div class="love" data-v-7615110e><span class="vpi-heart icon" data-v-7615110e></span></div>`);
      if (__props.message) {
        _push(`<h2 class="message" data-v-7615110e>${ssrInterpolate_1(__props.message)}</h2>`);
      } else {
        _push(`<!---->`);
      }
      _push(`</div><div class="sponsors" data-v-7615110e>`);
      _push(ssrRenderComponent_1(_sfc_main$7, { data: __props.data }, null, _parent));
      _push(`</div>`);
      if (__props.actionLink) {
        _push(`<div class="action" data-v-7615110e>`);
        _push(ssrRenderComponent_1(VPButton, {
          theme: "sponsor",
          text: __props.actionText,
          href: __props.actionLink
        }, null, _parent));
        _push(`</div>`);
      } else {
        _push(`<!---->`);
      }
      _push(`</div></section>`);
    };
  }
});
const _sfc_setup$5 = _sfc_main$5.setup;
_sfc_main$5.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPHomeSponsors.vue");
  return _sfc_setup$5 ? _sfc_setup$5(props, ctx) : void 0;
};
const _sfc_main$4 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPTeamMembersItem",
  __ssrInlineRender: true,
  props: {
    size: { default: "medium" },
    member: {}
  },
  setup(__props) {
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<article${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPTeamMembersItem", [__props.size]]
      }, _attrs))} data-v-5ff6ec12><div class="profile" data-v-5ff6ec12><figure class="avatar" data-v-5ff6ec12><img class="avatar-img"${ssrRenderAttr_1("src", __props.member.avatar)}${ssrRenderAttr_1("alt", __props.member.name)} data-v-5ff6ec12></figure><div class="data" data-v-5ff6ec12><h1 class="name" data-v-5ff6ec12>${ssrInterpolate_1(__props.member.name)}</h1>`);
      if (__props.member.title || __props.member.org) {
        _push(`<p class="affiliation" data-v-5ff6ec12>`);
        if (__props.member.title) {
          _push(`<span class="title" data-v-5ff6ec12>${ssrInterpolate_1(__props.member.title)}</span>`);
        } else {
          _push(`<!---->`);
        }
        if (__props.member.title && __props.member.org) {
          _push(`<span class="at" data-v-5ff6ec12> @ </span>`);
        } else {
          _push(`<!---->`);
        }
        if (__props.member.org) {
          _push(ssrRenderComponent_1(_sfc_main$Z, {
            class: ["org", { link: __props.member.orgLink }],
            href: __props.member.orgLink,
            "no-icon": ""
          }, {
            default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
              if (_push2) {
                _push2(`${ssrInterpolate_1(__props.member.org)}`);
              } else {
                return [
                  vueExports.createTextVNode(vueExports.toDisplayString(__props.member.org), 1)
                ];
              }
            }),
            _: 1
          }, _parent));
        } else {
          _push(`<!---->`);
        }
        _push(`</p>`);
      } else {
        _push(`<!---->`);
      }
      if (__props.member.desc) {
        _push(`<p class="desc" data-v-5ff6ec12>${__props.member.desc ?? ""}</p>`);
      } else {
        _push(`<!---->`);
      }
      if (__props.member.links) {
        _push(`<div class="links" data-v-5ff6ec12>`);
        _push(ssrRenderComponent_1(VPSocialLinks, {
          links: __props.member.links
        }, null, _parent));
        _push(`</div>`);
      } else {
        _push(`<!---->`);
      }
      _push(`</div></div>`);
      if (__props.member.sponsor) {
        _push(`<div class="sp" data-v-5ff6ec12>`);
        _push(ssrRenderComponent_1(_sfc_main$Z, {
          class: "sp-link",
          href: __props.member.sponsor,
          "no-icon": ""
        }, {
          default: vueExports.withCtx((_, _push2, _parent2, _scopeId) => {
            if (_push2) {
              _push2(`<span class="vpi-heart sp-icon" data-v-5ff6ec12${_scopeId}></span> ${ssrInterpolate_1(__props.member.actionText || "Sponsor")}`);
            } else {
              return [
                vueExports.createVNode("span", { class: "vpi-heart sp-icon" }),
                vueExports.createTextVNode(" " + vueExports.toDisplayString(__props.member.actionText || "Sponsor"), 1)
              ];
            }
          }),
          _: 1
        }, _parent));
        _push(`</div>`);
      } else {
        _push(`<!---->`);
      }
      _push(`</article>`);
    };
  }
});
const _sfc_setup$4 = _sfc_main$4.setup;
_sfc_main$4.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPTeamMembersItem.vue");
  return _sfc_setup$4 ? _sfc_setup$4(props, ctx) : void 0;
};
const VPTeamMembersItem = /* @__PURE__ */ _export_sfc(_sfc_main$4, [["__scopeId", "data-v-5ff6ec12"]]);
const _sfc_main$3 = /* @__PURE__ */ vueExports.defineComponent({
  __name: "VPTeamMembers",
  __ssrInlineRender: true,
  props: {
    size: { default: "medium" },
    members: {}
  },
  setup(__props) {
    const props = __props;
    const classes = vueExports.computed(() => [props.size, `count-${props.members.length}`]);
    return (_ctx, _push, _parent, _attrs) => {
      _push(`<div${ssrRenderAttrs_1(vueExports.mergeProps({
        class: ["VPTeamMembers", classes.value]
      }, _attrs))} data-v-384c288f><div class="container" data-v-384c288f><!--[-->`);
      ssrRenderList_1(__props.members, (member) => {
        _push(`<div class="item" data-v-384c288f>`);
        _push(ssrRenderComponent_1(VPTeamMembersItem, {
          size: __props.size,
          member
        }, null, _parent));
        _push(`</div>`);
      });
      _push(`<!--]--></div></div>`);
    };
  }
});
const _sfc_setup$3 = _sfc_main$3.setup;
_sfc_main$3.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPTeamMembers.vue");
  return _sfc_setup$3 ? _sfc_setup$3(props, ctx) : void 0;
};
const _sfc_main$2 = {};
const _sfc_setup$2 = _sfc_main$2.setup;
_sfc_main$2.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPTeamPage.vue");
  return _sfc_setup$2 ? _sfc_setup$2(props, ctx) : void 0;
};
const _sfc_main$1 = {};
const _sfc_setup$1 = _sfc_main$1.setup;
_sfc_main$1.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPTeamPageSection.vue");
  return _sfc_setup$1 ? _sfc_setup$1(props, ctx) : void 0;
};
const _sfc_main = {};
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("site/node_modules/.pnpm/vitepress@1.6.4_@algolia+client-search@5.64.0_postcss@8.5.33_search-insights@2.17.3_typescript@6.0.3/node_modules/vitepress/dist/client/theme-default/components/VPTeamPageTitle.vue");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const theme = {
  Layout,
  enhanceApp: ({ app }) => {
    app.component("Badge", _sfc_main$14);
  }
};
const ClientOnly = vueExports.defineComponent({
  setup(_, { slots }) {
    const show = vueExports.ref(false);
    vueExports.onMounted(() => {
      show.value = true;
    });
    return () => show.value && slots.default ? slots.default() : null;
  }
});
function useCodeGroups() {
  if (inBrowser) {
    window.addEventListener("click", (e) => {
      var _a;
      const el = e.target;
      if (el.matches(".vp-code-group input")) {
        const group = (_a = el.parentElement) == null ? void 0 : _a.parentElement;
        if (!group)
          return;
        const i = Array.from(group.querySelectorAll("input")).indexOf(el);
        if (i < 0)
          return;
        const blocks = group.querySelector(".blocks");
        if (!blocks)
          return;
        const current = Array.from(blocks.children).find((child) => child.classList.contains("active"));
        if (!current)
          return;
        const next = blocks.children[i];
        if (!next || current === next)
          return;
        current.classList.remove("active");
        next.classList.add("active");
        const label = group == null ? void 0 : group.querySelector(`label[for="${el.id}"]`);
        label == null ? void 0 : label.scrollIntoView({ block: "nearest" });
      }
    });
  }
}
function useCopyCode() {
  if (inBrowser) {
    const timeoutIdMap = /* @__PURE__ */ new WeakMap();
    window.addEventListener("click", (e) => {
      var _a;
      const el = e.target;
      if (el.matches('div[class*="language-"] > button.copy')) {
        const parent = el.parentElement;
        const sibling = (_a = el.nextElementSibling) == null ? void 0 : _a.nextElementSibling;
        if (!parent || !sibling) {
          return;
        }
        const isShell = /language-(shellscript|shell|bash|sh|zsh)/.test(parent.className);
        const ignoredNodes = [".vp-copy-ignore", ".diff.remove"];
        const clone = sibling.cloneNode(true);
        clone.querySelectorAll(ignoredNodes.join(",")).forEach((node) => node.remove());
        let text = clone.textContent || "";
        if (isShell) {
          text = text.replace(/^ *(\$|>) /gm, "").trim();
        }
        copyToClipboard(text).then(() => {
          el.classList.add("copied");
          clearTimeout(timeoutIdMap.get(el));
          const timeoutId = setTimeout(() => {
            el.classList.remove("copied");
            el.blur();
            timeoutIdMap.delete(el);
          }, 2e3);
          timeoutIdMap.set(el, timeoutId);
        });
      }
    });
  }
}
async function copyToClipboard(text) {
  try {
    return navigator.clipboard.writeText(text);
  } catch {
    const element = document.createElement("textarea");
    const previouslyFocusedElement = document.activeElement;
    element.value = text;
    element.setAttribute("readonly", "");
    element.style.contain = "strict";
    element.style.position = "absolute";
    element.style.left = "-9999px";
    element.style.fontSize = "12pt";
    const selection = document.getSelection();
    const originalRange = selection ? selection.rangeCount > 0 && selection.getRangeAt(0) : null;
    document.body.appendChild(element);
    element.select();
    element.selectionStart = 0;
    element.selectionEnd = text.length;
    document.execCommand("copy");
    document.body.removeChild(element);
    if (originalRange) {
      selection.removeAllRanges();
      selection.addRange(originalRange);
    }
    if (previouslyFocusedElement) {
      previouslyFocusedElement.focus();
    }
  }
}
function useUpdateHead(route, siteDataByRouteRef) {
  let isFirstUpdate = true;
  let managedHeadElements = [];
  const updateHeadTags = (newTags) => {
    if (isFirstUpdate) {
      isFirstUpdate = false;
      newTags.forEach((tag) => {
        const headEl = createHeadElement(tag);
        for (const el of document.head.children) {
          if (el.isEqualNode(headEl)) {
            managedHeadElements.push(el);
            return;
          }
        }
      });
      return;
    }
    const newElements = newTags.map(createHeadElement);
    managedHeadElements.forEach((oldEl, oldIndex) => {
      const matchedIndex = newElements.findIndex((newEl) => newEl == null ? void 0 : newEl.isEqualNode(oldEl ?? null));
      if (matchedIndex !== -1) {
        delete newElements[matchedIndex];
      } else {
        oldEl == null ? void 0 : oldEl.remove();
        delete managedHeadElements[oldIndex];
      }
    });
    newElements.forEach((el) => el && document.head.appendChild(el));
    managedHeadElements = [...managedHeadElements, ...newElements].filter(Boolean);
  };
  vueExports.watchEffect(() => {
    const pageData = route.data;
    const siteData2 = siteDataByRouteRef.value;
    const pageDescription = pageData && pageData.description;
    const frontmatterHead = pageData && pageData.frontmatter.head || [];
    const title = createTitle(siteData2, pageData);
    if (title !== document.title) {
      document.title = title;
    }
    const description = pageDescription || siteData2.description;
    let metaDescriptionElement = document.querySelector(`meta[name=description]`);
    if (metaDescriptionElement) {
      if (metaDescriptionElement.getAttribute("content") !== description) {
        metaDescriptionElement.setAttribute("content", description);
      }
    } else {
      createHeadElement(["meta", { name: "description", content: description }]);
    }
    updateHeadTags(mergeHead(siteData2.head, filterOutHeadDescription(frontmatterHead)));
  });
}
function createHeadElement([tag, attrs, innerHTML]) {
  const el = document.createElement(tag);
  for (const key in attrs) {
    el.setAttribute(key, attrs[key]);
  }
  if (innerHTML) {
    el.innerHTML = innerHTML;
  }
  if (tag === "script" && attrs.async == null) {
    el.async = false;
  }
  return el;
}
function isMetaDescription(headConfig) {
  return headConfig[0] === "meta" && headConfig[1] && headConfig[1].name === "description";
}
function filterOutHeadDescription(head) {
  return head.filter((h) => !isMetaDescription(h));
}
const hasFetched = /* @__PURE__ */ new Set();
const createLink = () => document.createElement("link");
const viaDOM = (url) => {
  const link2 = createLink();
  link2.rel = `prefetch`;
  link2.href = url;
  document.head.appendChild(link2);
};
const viaXHR = (url) => {
  const req = new XMLHttpRequest();
  req.open("GET", url, req.withCredentials = true);
  req.send();
};
let link;
const doFetch = inBrowser && (link = createLink()) && link.relList && link.relList.supports && link.relList.supports("prefetch") ? viaDOM : viaXHR;
function usePrefetch() {
  if (!inBrowser) {
    return;
  }
  if (!window.IntersectionObserver) {
    return;
  }
  let conn;
  if ((conn = navigator.connection) && (conn.saveData || /2g/.test(conn.effectiveType))) {
    return;
  }
  const rIC = window.requestIdleCallback || setTimeout;
  let observer = null;
  const observeLinks = () => {
    if (observer) {
      observer.disconnect();
    }
    observer = new IntersectionObserver((entries) => {
      entries.forEach((entry) => {
        if (entry.isIntersecting) {
          const link2 = entry.target;
          observer.unobserve(link2);
          const { pathname } = link2;
          if (!hasFetched.has(pathname)) {
            hasFetched.add(pathname);
            const pageChunkPath = pathToFile(pathname);
            if (pageChunkPath)
              doFetch(pageChunkPath);
          }
        }
      });
    });
    rIC(() => {
      document.querySelectorAll("#app a").forEach((link2) => {
        const { hostname, pathname } = new URL(link2.href instanceof SVGAnimatedString ? link2.href.animVal : link2.href, link2.baseURI);
        const extMatch = pathname.match(/\.\w+$/);
        if (extMatch && extMatch[0] !== ".html") {
          return;
        }
        if (
          // only prefetch same tab navigation, since a new tab will load
          // the lean js chunk instead.
          link2.target !== "_blank" && // only prefetch inbound links
          hostname === location.hostname
        ) {
          if (pathname !== location.pathname) {
            observer.observe(link2);
          } else {
            hasFetched.add(pathname);
          }
        }
      });
    });
  };
  vueExports.onMounted(observeLinks);
  const route = useRoute();
  vueExports.watch(() => route.path, observeLinks);
  vueExports.onUnmounted(() => {
    observer && observer.disconnect();
  });
}
function resolveThemeExtends(theme2) {
  if (theme2.extends) {
    const base = resolveThemeExtends(theme2.extends);
    return {
      ...base,
      ...theme2,
      async enhanceApp(ctx) {
        if (base.enhanceApp)
          await base.enhanceApp(ctx);
        if (theme2.enhanceApp)
          await theme2.enhanceApp(ctx);
      }
    };
  }
  return theme2;
}
const Theme = resolveThemeExtends(theme);
const VitePressApp = vueExports.defineComponent({
  name: "VitePressApp",
  setup() {
    const { site, lang, dir } = useData$1();
    vueExports.onMounted(() => {
      vueExports.watchEffect(() => {
        document.documentElement.lang = lang.value;
        document.documentElement.dir = dir.value;
      });
    });
    if (site.value.router.prefetchLinks) {
      usePrefetch();
    }
    useCopyCode();
    useCodeGroups();
    if (Theme.setup)
      Theme.setup();
    return () => vueExports.h(Theme.Layout);
  }
});
async function createApp() {
  globalThis.__VITEPRESS__ = true;
  const router = newRouter();
  const app = newApp();
  app.provide(RouterSymbol, router);
  const data = initData(router.route);
  app.provide(dataSymbol, data);
  app.component("Content", Content);
  app.component("ClientOnly", ClientOnly);
  Object.defineProperties(app.config.globalProperties, {
    $frontmatter: {
      get() {
        return data.frontmatter.value;
      }
    },
    $params: {
      get() {
        return data.page.value.params;
      }
    }
  });
  if (Theme.enhanceApp) {
    await Theme.enhanceApp({
      app,
      router,
      siteData: siteDataRef
    });
  }
  return { app, router, data };
}
function newApp() {
  return vueExports.createSSRApp(VitePressApp);
}
function newRouter() {
  let isInitialPageLoad = inBrowser;
  return createRouter((path) => {
    let pageFilePath = pathToFile(path);
    let pageModule = null;
    if (pageFilePath) {
      if (isInitialPageLoad) {
        pageFilePath = pageFilePath.replace(/\.js$/, ".lean.js");
      }
      if (false) ;
      else {
        pageModule = import(
          /*@vite-ignore*/
          pageFilePath
        );
      }
    }
    if (inBrowser) {
      isInitialPageLoad = false;
    }
    return pageModule;
  }, Theme.NotFound);
}
if (inBrowser) {
  createApp().then(({ app, router, data }) => {
    router.go().then(() => {
      useUpdateHead(router.route, data.site);
      app.mount("#app");
    });
  });
}
async function render(path) {
  const { app, router } = await createApp();
  await router.go(path);
  const ctx = { content: "", vpSocialIcons: /* @__PURE__ */ new Set() };
  ctx.content = await renderToString_1(app, ctx);
  return ctx;
}
export {
  tryOnScopeDispose as a,
  useData as b,
  computedAsync as c,
  useSessionStorage as d,
  useLocalStorage as e,
  useRouter as f,
  createSearchTranslate as g,
  useEventListener as h,
  useScrollLock as i,
  dataSymbol as j,
  inBrowser as k,
  escapeRegExp as l,
  notNullish as n,
  onKeyStroke as o,
  pathToFile as p,
  render,
  toArray as t,
  unrefElement as u,
  watchDebounced as w
};
