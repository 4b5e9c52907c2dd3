/** What the shipped features add to everybody's types; nothing of it runs. */
import './devices/names.js'
import './email-change/names.js'
import './email-code/names.js'
import './not-me/names.js'
import './reset/names.js'
import './second-factor/names.js'
import './verification/names.js'
