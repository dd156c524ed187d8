/** Emoji for tags that are short codes (GitHub's names): those that alerts, jobs and homes use. */

// prettier-ignore
const CODES = `
  +1 👍 -1 👎 100 💯 adhesive_bandage 🩹 alarm_clock ⏰ ambulance 🚑 anchor ⚓ angry 😠 apple 🍎 arrow_down ⬇️ arrow_up ⬆️ baby 👶
  ballot_box_with_check ☑️ bangbang ‼️ bank 🏦 bar_chart 📊 basket 🧺 bath 🛀 battery 🔋 bee 🐝 beer 🍺 bell 🔔 bike 🚲 bird 🐦
  birthday 🎂 blossom 🌼 blue_heart 💙 boat ⛵ bomb 💣 book 📖 bookmark 🔖 boom 💥 broken_heart 💔 broom 🧹 bug 🐛 building_construction 🏗️
  bulb 💡 bus 🚌 cactus 🌵 cake 🍰 calendar 📆 camera 📷 car 🚗 cat 🐱 chart 💹 chart_with_downwards_trend 📉
  chart_with_upwards_trend 📈 checkered_flag 🏁 christmas_tree 🎄 clapper 🎬 clipboard 📋 closed_lock_with_key 🔐 cloud ☁️ cd 💿
  coffee ☕ cold_face 🥶 computer 💻 construction 🚧 cookie 🍪 cop 👮 credit_card 💳 crescent_moon 🌙 cry 😢 date 📅
  desktop_computer 🖥️ dizzy 💫 dog 🐶 dollar 💵 door 🚪 droplet 💧 earth_africa 🌍 egg 🥚 electric_plug 🔌 email 📧 envelope ✉️
  evergreen_tree 🌲 exclamation ❗ eyes 👀 factory 🏭 file_folder 📁 film_projector 📽️ fire 🔥 fire_engine 🚒 fish 🐟 flashlight 🔦
  floppy_disk 💾 fog 🌫️ fuelpump ⛽ gear ⚙️ ghost 👻 gift 🎁 green_circle 🟢 green_heart 💚 grin 😁 hammer 🔨
  hammer_and_wrench 🛠️ headphones 🎧 heart ❤️ heartbeat 💓 heavy_check_mark ✔️ hospital 🏥 hot_face 🥵 hourglass ⌛ house 🏠
  inbox_tray 📥 incoming_envelope 📨 information_source ℹ️ iphone 📱 joy 😂 key 🔑 label 🏷️ leaves 🍃 link 🔗 lock 🔒
  loudspeaker 📢 low_battery 🪫 mag 🔍 mailbox 📫 mega 📣 memo 📝 microscope 🔬 money_with_wings 💸 moneybag 💰 moon 🌔
  motor_scooter 🛵 movie_camera 🎥 musical_note 🎵 mute 🔇 new 🆕 newspaper 📰 no_bell 🔕 no_entry ⛔ no_entry_sign 🚫 ocean 🌊
  octopus 🐙 ok_hand 👌 orange_circle 🟠 outbox_tray 📤 package 📦 page_facing_up 📄 paperclip 📎 partying_face 🥳 paw_prints 🐾
  penguin 🐧 phone ☎️ pill 💊 pizza 🍕 point_right 👉 police_car 🚓 postbox 📮 potted_plant 🪴 printer 🖨️ purple_circle 🟣 pushpin 📌
  question ❓ rabbit 🐰 rainbow 🌈 rage 😡 raised_hands 🙌 recycle ♻️ red_circle 🔴 robot 🤖 rocket 🚀 rotating_light 🚨 running 🏃
  satellite 📡 scissors ✂️ seedling 🌱 shield 🛡️ ship 🚢 shopping_cart 🛒 shower 🚿 siren 🚨 skull 💀 sleeping 😴 smile 😄
  snail 🐌 snake 🐍 snowflake ❄️ sob 😭 sos 🆘 sparkles ✨ speaker 🔈 star ⭐ stop_sign 🛑 stopwatch ⏱️ sunny ☀️ sunrise 🌅 sunglasses 😎
  sweat 😓 tada 🎉 taxi 🚕 telephone_receiver 📞 tent ⛺ test_tube 🧪 thermometer 🌡️ thinking 🤔 thumbsdown 👎 thumbsup 👍 toilet 🚽
  tornado 🌪️ tractor 🚜 traffic_light 🚥 train 🚆 trophy 🏆 truck 🚚 tv 📺 umbrella ☔ unlock 🔓 vertical_traffic_light 🚦
  video_camera 📹 warning ⚠️ wastebasket 🗑️ watch ⌚ wave 👋 whale 🐳 white_check_mark ✅ white_circle ⚪ wind_face 🌬️ window 🪟
  wrench 🔧 x ❌ yellow_circle 🟡 zap ⚡ zzz 💤
`;

let byCode: Map<string, string> | undefined;

/** The emoji of a short code, with or without colons; `undefined` for any other word. */
export function emojiOf(tag: string): string | undefined {
  byCode ??= new Map([...CODES.matchAll(/(\S+) (\S+)/g)].map(([, code = "", emoji = ""]) => [code, emoji]));
  return byCode.get(tag.replace(/^:(.+):$/, "$1"));
}
