#include "CPanel.h"

// The pages, their styles and modules, as they lie in `site`: part of the program, so that nothing has to be found or fetched.

static const unsigned char index_html[] = {
#embed "site/index.html"
};
static const unsigned char measure_html[] = {
#embed "site/measure.html"
};
static const unsigned char measure_js[] = {
#embed "site/measure.js"
};
static const unsigned char measure_css[] = {
#embed "site/measure.css"
};
static const unsigned char panel_css[] = {
#embed "site/panel.css"
};
static const unsigned char icon_svg[] = {
#embed "site/icon.svg"
};
static const unsigned char panel_js[] = {
#embed "site/panel.js"
};
static const unsigned char session_js[] = {
#embed "site/session.js"
};
static const unsigned char words_js[] = {
#embed "site/words.js"
};
static const unsigned char english_js[] = {
#embed "site/english.js"
};
static const unsigned char german_js[] = {
#embed "site/german.js"
};
static const unsigned char widgets_js[] = {
#embed "site/widgets.js"
};
static const unsigned char sections_js[] = {
#embed "site/sections.js"
};
static const unsigned char head_js[] = {
#embed "site/head.js"
};
static const unsigned char stage_js[] = {
#embed "site/stage.js"
};
static const unsigned char meters_js[] = {
#embed "site/meters.js"
};
static const unsigned char plugins_js[] = {
#embed "site/plugins.js"
};
static const unsigned char status_js[] = {
#embed "site/status.js"
};
static const unsigned char tabs_js[] = {
#embed "site/tabs.js"
};
static const unsigned char folds_js[] = {
#embed "site/folds.js"
};
static const unsigned char cover_js[] = {
#embed "site/cover.js"
};
static const unsigned char faders_js[] = {
#embed "site/faders.js"
};
static const unsigned char browser_js[] = {
#embed "site/browser.js"
};
static const unsigned char layout_css[] = {
#embed "site/layout.css"
};
static const unsigned char colours_css[] = {
#embed "site/colours.css"
};
static const unsigned char commands_js[] = {
#embed "site/commands.js"
};
static const unsigned char calibration_js[] = {
#embed "site/calibration.js"
};
static const unsigned char figure_js[] = {
#embed "site/figure.js"
};
static const unsigned char focus_js[] = {
#embed "site/focus.js"
};

#define FILE(name, type, bytes) {name, type "; charset=utf-8", bytes, sizeof bytes}

static const PanelFile files[] = {
    FILE("index.html", "text/html", index_html),
    FILE("measure.html", "text/html", measure_html),
    FILE("measure.js", "text/javascript", measure_js),
    FILE("measure.css", "text/css", measure_css),
    FILE("panel.css", "text/css", panel_css),
    FILE("icon.svg", "image/svg+xml", icon_svg),
    FILE("panel.js", "text/javascript", panel_js),
    FILE("session.js", "text/javascript", session_js),
    FILE("words.js", "text/javascript", words_js),
    FILE("english.js", "text/javascript", english_js),
    FILE("german.js", "text/javascript", german_js),
    FILE("widgets.js", "text/javascript", widgets_js),
    FILE("sections.js", "text/javascript", sections_js),
    FILE("head.js", "text/javascript", head_js),
    FILE("stage.js", "text/javascript", stage_js),
    FILE("meters.js", "text/javascript", meters_js),
    FILE("plugins.js", "text/javascript", plugins_js),
    FILE("status.js", "text/javascript", status_js),
    FILE("figure.js", "text/javascript", figure_js),
    FILE("calibration.js", "text/javascript", calibration_js),
    FILE("commands.js", "text/javascript", commands_js),
    FILE("tabs.js", "text/javascript", tabs_js),
    FILE("folds.js", "text/javascript", folds_js),
    FILE("focus.js", "text/javascript", focus_js),
    FILE("cover.js", "text/javascript", cover_js),
    FILE("faders.js", "text/javascript", faders_js),
    FILE("browser.js", "text/javascript", browser_js),
    FILE("layout.css", "text/css", layout_css),
    FILE("colours.css", "text/css", colours_css),
};

const PanelFile *panel_file(size_t number) { return number < sizeof files / sizeof *files ? &files[number] : NULL; }
